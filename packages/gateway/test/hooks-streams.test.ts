import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { operationsOf } from "./rules/operations.ts";
import { plainAnswer } from "./rules/plain.ts";
import { ask, examples, modelsFor } from "./rules/requests.ts";
import { keys, type Stage, startStage } from "./rules/stage.ts";
import { startTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/**
 * What a hook does to a stream is the same whether the provider speaks the caller's format or not, in place and returned,
 * for every operation of the route table that streams.
 */
/** These take a request as it is sent for a stream, and answer whole or refuse. */
const answerWhole = ["compactResponse", "countResponseInputTokens"];

const described = await startTestGateway();
const streaming = (await operationsOf(described)).filter(({ id, json }) => {
  const { hooks, isTask, hooksSeeModels } = examples[id]!;
  const streams = json?.properties?.stream !== undefined || id.startsWith("stream");
  return hooks && isTask !== true && hooksSeeModels !== true && streams && !answerWhole.includes(id);
});
await described.close();

/** One event that holds this text and no more, in every format. */
const PIECE = '"IGIN"';
let told = "";

/** The call's id says what the hook does. */
const moduleIn = (folder: string): string => {
  told = join(folder, "told.log");
  appendFileSync(told, "");
  return `import { appendFileSync } from "node:fs";
export async function* postCallStream({ callId }, stream) {
  const [does] = callId.split("-");
  for await (const chunk of stream) {
    const text = Buffer.from(chunk).toString("utf8");
    const isPiece = text.includes('${PIECE}');
    switch (does) {
      case "inPlace":
        for (let at = chunk.indexOf("IGIN"); at >= 0; at = chunk.indexOf("IGIN")) chunk.write("XXXX", at);
        yield chunk;
        break;
      case "returned": yield Buffer.from(text.replaceAll("IGIN", "XXXX")); break;
      case "asText": yield text; break;
      case "byteWise": for (const byte of chunk) yield Uint8Array.of(byte); break;
      case "dropped": if (!isPiece) yield chunk; break;
      case "added": yield chunk; if (isPiece) yield chunk; break;
      case "refused": if (isPiece) throw Object.assign(new Error("not that"), { status: 403 }); yield chunk; break;
      case "threw": if (isPiece) throw new Error("the hook's own"); yield chunk; break;
      case "leftOff": if (isPiece) return; yield chunk; break;
      default: yield chunk;
    }
  }
}
export const failure = ({ callId }, { code, type }) =>
  appendFileSync(${JSON.stringify(told)}, JSON.stringify({ callId, code, type }) + "\\n");
`;
};

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ hooks: moduleIn });
});
afterAll(() => stage?.close());

let calls = 0;

const cases = streaming.flatMap((operation) => {
  const ways = operation.id === "createResponse" ? [{}, { store: false }] : [{}];
  return ways.map((more) => ({ ...operation, operation, more, way: JSON.stringify(more) }));
});
type Case = (typeof cases)[number];

async function streamOf({ operation, more }: Case, does: string, model: string) {
  const { json, id } = operation;
  const body: JsonObject = { ...examples[id]!.body?.({}), ...more };
  if (json?.properties?.stream !== undefined) body.stream = true;
  const callId = `${does}-call-${++calls}`;
  const answer = await ask(stage, operation, { callId, model, body });
  expect([model, does, answer.status, answer.body]).toEqual([model, does, 200, expect.anything()]);
  expect(answer.headers["content-type"]).toContain("text/event-stream");
  const events = answer.body.split(/(?<=\n\r?\n)/);
  return { callId, body: answer.body, events: events.map(plainAnswer), text: events.map(textOf).join("") };
}

/** The model's words in an event of any format. */
function textOf(event: string): string {
  const data = /^data: (\{.*\})\s*$/m.exec(event)?.[1];
  const { type, delta, choices, candidates } = JSON.parse(data ?? "{}") as {
    type?: string;
    delta?: string | { text?: string };
    choices?: { delta: { content?: string } }[];
    candidates?: { content: { parts: { text?: string }[] } }[];
  };
  if (type === "response.output_text.delta") return delta as string;
  if (type === "content_block_delta") return (delta as { text?: string }).text ?? "";
  return choices?.[0]?.delta.content ?? candidates?.[0]?.content.parts[0]?.text ?? "";
}

const failuresOf = (callId: string): object[] =>
  readFileSync(told, "utf8")
    .split("\n")
    .filter((line) => line.includes(`"${callId}"`))
    .map((line) => JSON.parse(line) as object);

/** What only a whole stream has at its end. */
const wholeEnd = /\[DONE\]|message_stop|response\.completed|finishReason|"finish_reason":"/;

describe.each(cases)("A stream hook at $method $path $way", (each) => {
  it.each(modelsFor(each.operation))("changes, drops and adds events before %s", async (model) => {
    const untouched = await streamOf(each, "untouched", model);
    expect(untouched.text).toBe("echo: ORIGINAL");
    for (const does of ["asText", "byteWise"])
      expect([does, (await streamOf(each, does, model)).events]).toEqual([does, untouched.events]);
    const inPlace = await streamOf(each, "inPlace", model);
    expect(inPlace.text).toBe("echo: ORXXXXAL");
    expect(inPlace.events).toEqual(untouched.events.map((event) => event.replaceAll("IGIN", "XXXX")));
    expect((await streamOf(each, "returned", model)).events).toEqual(inPlace.events);
    const dropped = await streamOf(each, "dropped", model);
    expect(dropped.events).toEqual(untouched.events.filter((event) => !event.includes(PIECE)));
    const added = await streamOf(each, "added", model);
    expect(added.text).toBe("echo: ORIGINIGINAL");
    expect(added.events).toHaveLength(untouched.events.length + 1);
  });

  it.each(modelsFor(each.operation))("ends it in the middle before %s", async (model) => {
    const untouched = await streamOf(each, "untouched", model);
    const at = untouched.events.findIndex((event) => event.includes(PIECE));
    for (const [does, message, code, type] of [
      ["refused", "not that", "403", "permission_error"],
      ["threw", "A stream hook failed.", "500", "api_error"],
    ] as const) {
      const ended = await streamOf(each, does, model);
      expect([does, ended.events.slice(0, at)]).toEqual([does, untouched.events.slice(0, at)]);
      expect([does, ended.events.slice(at).join("")]).toEqual([does, expect.stringContaining(message)]);
      expect(ended.body).not.toMatch(wholeEnd);
      await until(async () => failuresOf(ended.callId).length > 0);
      expect(failuresOf(ended.callId)).toEqual([{ callId: ended.callId, code, type }]);
      await keepsNothing(each, ended);
    }
    const leftOff = await streamOf(each, "leftOff", model);
    expect(leftOff.text).toBe("echo: OR");
    expect(leftOff.body).not.toMatch(wholeEnd);
    await keepsNothing(each, leftOff);
  });
});

/** Nobody reads later what a hook did not let through: not here, and not at the provider. */
async function keepsNothing({ operation, more }: Case, { body }: { body: string }): Promise<void> {
  if (operation.id !== "createResponse" || "store" in more) return;
  const [, id] = /"id":\s?"(resp_[^"]+)"/.exec(body)!;
  for (const way of ["", "?stream=true"]) {
    const answer = await stage.gateway.call(`/v1/responses/${id}${way}`, { key: keys.alice });
    const read = await answer.text();
    expect([answer.status, read]).toEqual([200, expect.not.stringContaining("IGIN")]);
    expect(read).toMatch(/"status":"failed"|event: error/);
  }
  const isNative = /"model":\s?"gpt/.test(body);
  if (isNative) await until(async () => stage.asked().some((line) => /^DELETE \S+\/responses\//.test(line)));
}
