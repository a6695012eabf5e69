import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import type { Schema } from "../src/contract/schema.ts";
import { type Operation, operationsOf } from "./rules/operations.ts";
import { plain, plainAnswer } from "./rules/plain.ts";
import { ask, examples, modelsFor } from "./rules/requests.ts";
import { readsLike, richBodies } from "./rules/rich-bodies.ts";
import { type Stage, startStage } from "./rules/stage.ts";
import { fitting } from "./support/fitting-values.ts";
import { startTestGateway } from "./support/gateway.ts";

/**
 * What a hook makes of a request is what a caller would have sent without the hook: for each field that an operation of the
 * route table describes, in place and returned, native and translated, byte for byte at the provider. And every provider
 * of a call is asked for the same, whatever its format.
 */
const described = await startTestGateway();
const operations = (await operationsOf(described)).map((operation) => ({ ...operation, operation }));
await described.close();

let stage: Stage;
/** What the hook does: a file in the stage's folder. */
let steering = "";

const moduleIn = (folder: string): string => {
  steering = join(folder, "steering.json");
  return `import { readFileSync } from "node:fs";
export const preCall = ({ callId, data: given }) => {
  if (!callId.startsWith("hooked")) return;
  const { set, drop = [] } = JSON.parse(readFileSync(${JSON.stringify(steering)}, "utf8"));
  const data = callId.endsWith("returned") ? { ...given } : given;
  Object.assign(data, set);
  for (const name of drop) delete data[name];
  return callId.endsWith("returned") ? data : undefined;
};
`;
};

beforeAll(async () => {
  stage = await startStage({ hooks: moduleIn });
});
afterAll(() => stage?.close());

interface Hooked {
  readonly mode: "in-place" | "returned";
  readonly set?: JsonObject;
  readonly drop?: readonly string[];
}

let calls = 0;

/** What the provider was asked and the caller was answered. */
async function outcome(operation: Operation, change: JsonObject, model?: string, hooked?: Hooked) {
  const { needs, body } = examples[operation.id]!;
  const ids = needs === undefined ? {} : await stage.make(needs);
  const { mode, ...steps } = hooked ?? {};
  if (mode !== undefined) writeFileSync(steering, JSON.stringify(steps));
  const callId = mode === undefined ? `plain-${++calls}` : `hooked-${++calls}-${mode}`;
  const sent = { ...body?.(ids), ...change };
  const named = model === undefined ? {} : { model };
  const answer = await ask(stage, operation, { ids, callId, body: sent, ...named });
  const asked = stage.asked();
  // Where no model answers, what has been made goes on by itself, and answers say how far it is.
  const answered = model === undefined ? undefined : plainAnswer(answer.body);
  return { status: answer.status, answered, asked: asked.map(plain), sent: asked };
}

/** Settled before hooks run (docs/gateway/hooks.md), or read as an address before anything else. */
const settledBefore: Readonly<Record<string, readonly string[]>> = {
  createResponse: ["stream", "background", "store"],
  compactResponse: ["stream", "background", "store"],
  createBatch: ["custom_llm_provider"],
  remixVideo: ["custom_llm_provider"],
};

const hookable = operations.filter(({ id, json }) => {
  const { hooks, isTask, hooksSeeModels } = examples[id]!;
  return hooks && json?.properties !== undefined && isTask !== true && hooksSeeModels !== true;
});

describe("A field that a hook sets or takes away is as if the caller had", () => {
  it.each(hookable)("at $method $path", async ({ operation }) => {
    const { properties = {} } = operation.json!;
    const example = examples[operation.id]!.body?.({}) ?? {};
    const free = Object.entries(properties).filter(
      ([name]) =>
        !(name in example || name === "model" || settledBefore[operation.id]?.includes(name) === true),
    );
    const models = modelsFor(operation);
    for (const model of models.length === 0 ? [undefined] : models) {
      const without = await outcome(operation, {}, model);
      for (const [at, [name, schema]] of free.entries()) {
        const set = { [name]: fitting(schema as Schema) };
        const [mode, other] =
          at % 2 === 0 ? (["in-place", "returned"] as const) : (["returned", "in-place"] as const);
        const direct = await outcome(operation, set, model);
        const hooked = await outcome(operation, {}, model, { mode, set });
        expect([model, set, hooked]).toEqual([model, set, { ...direct, sent: expect.anything() }]);
        const dropped = await outcome(operation, set, model, { mode: other, drop: [name] });
        expect([model, set, dropped]).toEqual([model, set, { ...without, sent: expect.anything() }]);
      }
    }
  });
});

const translatable = hookable.filter(({ operation }) => modelsFor(operation).includes("claude"));

it("has a request with everything in it for every operation of these models", () => {
  expect(Object.keys(richBodies).toSorted()).toEqual(translatable.map(({ id }) => id).toSorted());
});

describe("A request that a hook changes throughout", () => {
  it.each(translatable)("is the same to all providers at $method $path", async ({ operation }) => {
    const rich = richBodies[operation.id]!;
    const before = rich.body("ORIGINAL");
    const after = rich.body("CHANGED");
    const hasStreams = operation.json!.properties!.stream !== undefined && rich.summarizes !== true;
    const streams = hasStreams ? [{}, { stream: true }] : [{}];
    for (const stream of streams) {
      const read: (readonly [model: string, request: unknown])[] = [];
      for (const model of modelsFor(operation)) {
        const direct = await outcome(operation, { ...after, ...stream }, model);
        expect([model, direct.status, direct.answered]).toEqual([model, 200, expect.anything()]);
        for (const mode of ["in-place", "returned"] as const) {
          const hooked = await outcome(operation, { ...before, ...stream }, model, { mode, set: after });
          expect([model, mode, hooked]).toEqual([model, mode, { ...direct, sent: expect.anything() }]);
          const [asked] = hooked.sent;
          // A provider without the operation is not asked, and the gateway answers itself.
          if (asked !== undefined) read.push([model, readsLike(asked, rich)]);
        }
      }
      expect(read.length).toBeGreaterThan(0);
      expect(read).toEqual(read.map(([model]) => [model, read[0]![1]]));
    }
  });
});
