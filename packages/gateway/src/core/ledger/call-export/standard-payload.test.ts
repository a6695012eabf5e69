import { expect, it } from "vitest";
import { newCallRecord } from "../../../contract/call-record.ts";
import { GatewayError } from "../../../contract/errors.ts";
import { anonymous } from "../../../contract/principal.ts";
import type { SpendRow } from "../spend-tables.ts";
import { payloadOfCall, payloadOfRow } from "./standard-payload.ts";

const KEY = "sk-secret-0123456789";

const row: SpendRow = {
  id: "late-1",
  request_id: "batch_1",
  key_hash: "ab".repeat(32),
  user_id: "u1",
  team_id: null,
  model: "gpt-4o",
  model_id: "d1",
  provider: "openai",
  call_type: "abatch",
  status: "success",
  prompt_tokens: 3,
  completion_tokens: 4,
  cache_read_tokens: 1,
  cache_write_tokens: 0,
  spend: 0.5,
  started_at: 1_700_000_000_916,
  ended_at: 1_700_000_000_916,
  organization_id: null,
  end_user: null,
  tags: null,
  session_id: null,
};

it("tells what a provider's batch cost, which is a row without a call", () => {
  expect(payloadOfRow(row)).toMatchObject({
    id: "batch_1",
    call_type: "abatch",
    status: "success",
    response_cost: 0.5,
    total_tokens: 7,
    request_tags: [],
    error_str: null,
    metadata: { user_api_key_hash: row.key_hash, user_api_key_user_id: "u1" },
  });
});

it("has times that follow each other, whatever their fractions", () => {
  for (const first_ms of [0, 1, null]) {
    const ended_at = row.started_at + (first_ms ?? 0);
    const { completionStartTime, startTime, endTime } = payloadOfRow({ ...row, first_ms, ended_at });
    expect([startTime, completionStartTime, endTime]).toEqual([
      row.started_at / 1000,
      ended_at / 1000,
      ended_at / 1000,
    ]);
  }
});

it("masks keys that stand where names belong, and tells no text of an error", () => {
  const call = newCallRecord("acompletion");
  call.model = KEY;
  call.status = "failure";
  call.session = KEY;
  call.named = { customer: KEY, tags: [KEY] };
  call.failure = new GatewayError(400, "invalid_request_error", "what was asked");
  const principal = { ...anonymous, keyAlias: KEY, userId: KEY, teamId: KEY, organizationId: KEY };
  const payload = payloadOfCall({ callId: KEY, principal, call, hold: undefined }, Date.now());
  const text = JSON.stringify(payload);
  expect(text).not.toContain(KEY);
  expect(text).not.toContain("what was asked");
  expect(payload).toMatchObject({
    status: "failure",
    error_str: "invalid_request_error (400)",
    error_information: { error_code: "400", error_class: "invalid_request_error" },
  });
});
