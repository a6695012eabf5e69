import { describe, expect, it } from "vitest";
import { guardNative } from "../guarded-stream.ts";
import type { StreamOutcome } from "../stream-outcome.ts";
import { responsesDialect } from "./responses-dialect.ts";

const response = { id: "resp_1", object: "response", created_at: 1, model: "m", output: [] };
const created = { type: "response.created", response: { ...response, status: "in_progress" } };

/** What a caller gets of a provider's stream, and how it ended. */
async function guarded(last: object): Promise<{ text: string; status: StreamOutcome["status"] | undefined }> {
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const [sequence_number, event] of [created, last].entries())
      yield Buffer.from(`data: ${JSON.stringify({ sequence_number, ...event })}\n\n`);
  }
  let status: StreamOutcome["status"] | undefined;
  const onEnd = (outcome: StreamOutcome): undefined => {
    status = outcome.status;
  };
  const out: Uint8Array[] = [];
  for await (const passed of guardNative(source(), responsesDialect, { onEnd })) out.push(passed);
  return { text: Buffer.concat(out).toString("utf8"), status };
}

describe("The last event of a Responses stream", () => {
  it.each([
    ["response.completed", "in_progress"],
    ["response.completed", "failed"],
    ["response.completed", "incomplete"],
    ["response.incomplete", "completed"],
    ["response.completed", null],
  ])("%s with the status %s is no end", async (type, status) => {
    const { text, status: end } = await guarded({ type, response: { ...response, status } });
    expect(end).toBe("failed");
    expect(text).not.toContain(type);
  });

  it.each([{}, { response: null }, { response: "x" }])("without a response is no end: %j", async (rest) => {
    const { text, status } = await guarded({ type: "response.completed", ...rest });
    expect(status).toBe("failed");
    expect(text).not.toContain("response.completed");
  });

  it.each([
    ["response.completed", { status: "completed" }],
    ["response.incomplete", { status: "incomplete" }],
    ["response.completed", {}],
  ])("%s with %j is the end", async (type, rest) => {
    const { text, status } = await guarded({ type, response: { ...response, ...rest } });
    expect(status).toBe("complete");
    expect(text).toContain(type);
  });
});
