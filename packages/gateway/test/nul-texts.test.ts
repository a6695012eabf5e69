import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { type Operation, operationsOf } from "./rules/operations.ts";
import { ask, examples, type Ids } from "./rules/requests.ts";
import { keys, type Stage, startStage } from "./rules/stage.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";

const NUL = "a\u0000b";

/** The body with the text in place of each of its texts, and in each member that the schema has. */
function* bodiesWith(example: JsonObject, members: readonly string[], text: string): Generator<JsonObject> {
  for (const name of members) for (const value of [text, [text]]) yield { ...example, [name]: value };
  for (const path of textsIn(example)) {
    const body = structuredClone(example);
    let at = body as Record<string, unknown>;
    for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>;
    at[path.at(-1)!] = text;
    yield body;
  }
}

function* textsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === "string") yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* textsIn(member, [...path, name]);
}

describe.skipIf(!hasPostgres)("On PostgreSQL, which keeps no NUL", () => {
  let postgres: TestDatabases;
  let stage: Stage;
  let operations: readonly Operation[];
  const failed: string[] = [];
  beforeAll(async () => {
    postgres = await openDatabases();
    stage = await startStage({ environment: { DATABASE_URL: await postgres.createDatabase() } });
    operations = await operationsOf(stage.gateway);
  });
  afterAll(async () => {
    await stage?.close();
    await postgres?.stop();
  });

  const note = (what: string, { status, body }: { status: number; body: string }): void => {
    const isOwn = status === 500 && !body.includes("The simulator failed");
    if (isOwn || body.includes("UTF8")) failed.push(`${what}: ${status} ${body.slice(0, 200)}`);
  };

  it("an id with one is an id that nobody has, at every path", { timeout: 300_000 }, async () => {
    for (const { method, forms, id } of operations)
      for (const form of forms.filter((path) => path.includes("{"))) {
        const address = form.replaceAll(/\{\w+\}/g, encodeURIComponent(NUL));
        const body = method === "GET" ? undefined : {};
        const answer = await stage.gateway.call(address, { method, body });
        note(`${id} ${method} ${address}`, { status: answer.status, body: await answer.text() });
      }
    expect(failed.splice(0)).toEqual([]);
  });

  it.each([{ user: NUL }, { tags: [NUL] }, { safety_identifier: NUL }, { litellm_metadata: { user: NUL } }])(
    "a response in the background is made and accounted for, whomever it names: %j",
    async (named) => {
      for (const model of ["gpt", "claude"]) {
        const body = { model, input: "hello", background: true, ...named };
        const answer = await stage.gateway.call("/v1/responses", { key: keys.alice, body });
        expect([model, answer.status]).toEqual([model, 200]);
      }
    },
  );

  it("a text with one is refused or taken in every body", { timeout: 300_000 }, async () => {
    for (const operation of operations.filter(({ json }) => json !== undefined)) {
      const { needs, body } = examples[operation.id]!;
      const ids: Ids = needs === undefined ? {} : await stage.make(needs);
      const members = Object.keys(operation.json?.properties ?? {});
      for (const each of bodiesWith(body?.(ids) ?? {}, members, NUL)) {
        const answer = await ask(stage, operation, { ids, body: each });
        note(`${operation.id} ${JSON.stringify(each)}`, answer);
      }
    }
    expect(failed.splice(0)).toEqual([]);
  });
});
