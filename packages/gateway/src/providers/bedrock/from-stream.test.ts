import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { randomNumbers } from "../../../../../tools/random-numbers.ts";
import type { JsonObject } from "../../contract/json.ts";
import { fromConverseStream } from "./from-stream.ts";

const below = randomNumbers();
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;

let tools = 0;
const tool = (name: string, type?: string) => ({ toolUse: { toolUseId: `t${tools++}`, name, type } });
const starts = () => [
  undefined,
  {},
  tool("mine"),
  tool("json"),
  tool("nova_grounding", "server_tool_use"),
  tool("other", "server_tool_use"),
  { toolResult: { toolUseId: "t0", type: "nova_grounding_result", status: oneOf(["success", "error", 7]) } },
  { toolResult: "none" },
];
const deltas = () => [
  undefined,
  { text: oneOf(["", "x"]) },
  { toolUse: { input: oneOf(["", "{", '{"query":"x"}', "[]", 7]) } },
  { reasoningContent: oneOf<unknown>([{ text: "r" }, { signature: "s" }, {}, "no"]) },
  {
    citation: { title: oneOf<unknown>(["t", 7, undefined]), location: { web: { url: "https://a.example" } } },
  },
  { citation: { location: "none" } },
];

/** An event of whatever kind for whatever block, also where none of the kind may come. */
function anyEvent(): { name: string; payload: JsonObject } {
  const name = oneOf([
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockDelta",
    "contentBlockStop",
    "other",
  ]);
  const index = oneOf<unknown>([0, 0, 1, 2, undefined]);
  return { name, payload: { contentBlockIndex: index, start: oneOf(starts()), delta: oneOf(deltas()) } };
}

/** What is wrong with the order of parts: each block begins, has its pieces and ends, once. */
function faultsOf(parts: readonly LanguageModelV3StreamPart[]): string[] {
  const open = new Set<string>();
  const faults: string[] = [];
  for (const part of parts) {
    const [, kind, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? [];
    if (kind === undefined || !("id" in part)) continue;
    const block = `${kind} ${part.id}`;
    if (open.has(block) === (step === "start")) faults.push(`${part.type} ${part.id}`);
    if (step === "start") open.add(block);
    if (step === "end") open.delete(block);
  }
  return [...faults, ...open];
}

it("begins and ends each block once, whatever order a hostile upstream sends", async () => {
  for (let round = 0; round < 2000; round += 1) {
    const events = Array.from({ length: below(12) }, anyEvent);
    const stop = {
      name: "messageStop",
      payload: { stopReason: oneOf<unknown>(["end_turn", "tool_use", 7]) },
    };
    events.splice(below(events.length + 1), 0, stop);
    const messages = (async function* () {
      for (const event of events) yield { kind: "event", ...event } as never;
    })();
    const parts: LanguageModelV3StreamPart[] = [];
    for await (const part of fromConverseStream(messages, () => new Error("none") as never)) parts.push(part);
    expect(faultsOf(parts), JSON.stringify(events)).toEqual([]);
    expect(parts.at(-1)?.type).toBe("finish");
  }
});
