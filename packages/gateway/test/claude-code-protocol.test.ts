import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { type RecordingUpstream, startRecordingUpstream } from "./support/recording-upstream.ts";

/** What Claude Code matches to turn a rejected capability off: the provider's own words. */
const REJECTION = {
  type: "error",
  error: { type: "invalid_request_error", message: "context_management: Extra inputs are not permitted" },
  request_id: "req_up",
};
const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [{ type: "text", text: "hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

let upstream: RecordingUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startRecordingUpstream(({ path, body }) => {
    if (body.includes("reject me")) return { status: 400, body: REJECTION };
    return { body: path.includes("count_tokens") ? { input_tokens: 7 } : answer };
  });
  gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: claude-sonnet-4-5, gateway_params: {model: anthropic/claude-sonnet-4-5, api_base: "${upstream.url}", api_key: sk-up}}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});
beforeEach(() => upstream.forget());

/** As Claude Code sends them (Anthropic, "Gateway protocol reference"), with one that no release has yet. */
const protocol = {
  "anthropic-version": "2023-06-01",
  "anthropic-beta": "claude-code-20250219,context-management-2025-06-27,not-known-2030-01-01",
  "anthropic-workspace-id": "wrkspc_1",
  "anthropic-of-tomorrow": "1",
};
const ofAgents = {
  "x-claude-code-session-id": "session-1",
  "x-claude-code-agent-id": "agent-1",
  "x-claude-code-parent-agent-id": "agent-0",
};
const body = {
  model: "claude-sonnet-4-5",
  max_tokens: 9,
  system: [
    { type: "text", text: "x-anthropic-billing-header: cc_version=2.1" },
    { type: "text", text: "s" },
  ],
  messages: [{ role: "user", content: "hi" }],
  thinking: { type: "adaptive" },
  context_management: { edits: [] },
  output_config: { effort: "high" },
  field_of_tomorrow: { a: [1] },
};

async function send(
  path: string,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${gateway.masterKey}`,
      ...protocol,
      ...ofAgents,
      ...headers,
    },
    body: JSON.stringify({ ...body, ...more }),
  });
}

describe("Anthropic's protocol for gateways", () => {
  it.each(["/v1/messages?beta=true", "/v1/messages/count_tokens?beta=true"])(
    "%s forwards every anthropic-* header and body field, and keeps those of agents",
    async (path) => {
      expect((await send(path)).status).toBe(200);
      const sent = upstream.seen[0];
      expect(sent?.headers).toMatchObject({ ...protocol, "x-api-key": "sk-up" });
      for (const name of [...Object.keys(ofAgents), "authorization"])
        expect(sent?.headers[name]).toBeUndefined();
      expect(JSON.parse(sent?.body ?? "")).toEqual(body);
    },
  );

  it.each([
    ["Authorization", { "x-api-key": "" }],
    ["x-api-key", { authorization: "" }],
    ["both", {}],
  ])("takes its key in %s", async (_name, without) => {
    const headers = {
      "x-api-key": gateway.masterKey,
      authorization: `Bearer ${gateway.masterKey}`,
      ...without,
    };
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    const response = await fetch(`${gateway.url}/v1/messages?beta=true`, {
      method: "POST",
      headers: { "content-type": "application/json", ...given },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  });

  it.each([false, true])("answers a rejection in the provider's words, streamed: %s", async (stream) => {
    const response = await send("/v1/messages?beta=true", {
      stream,
      messages: [{ role: "user", content: "reject me" }],
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: REJECTION.type, error: REJECTION.error });
  });

  it.each([
    ["x-api-key", (key: string) => ({ "x-api-key": key })],
    ["Authorization", (key: string) => ({ authorization: `Bearer ${key}` })],
  ])("lists models for its picker with the key in %s, without a redirect", async (_name, credential) => {
    const response = await fetch(`${gateway.url}/v1/models?limit=1000`, {
      headers: { ...credential(gateway.masterKey), "anthropic-version": "2023-06-01" },
      redirect: "error",
    });
    const { data } = (await response.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toContain("claude-sonnet-4-5");
  });

  it("answers the probe of its start at once, without calling a provider", async () => {
    const { status } = await fetch(`${gateway.url}/`, { method: "HEAD", redirect: "manual" });
    expect(status).toBeLessThan(500);
    expect(upstream.seen).toEqual([]);
  });
});
