import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../src/contract/operation.ts";
import type { Schema } from "../src/contract/schema.ts";
import { groupsOf } from "./reference/api-page.ts";
import { budgetOwners } from "./support/budget-owners.ts";
import { describeOnEachDeployment } from "./support/deployments.ts";
import { fitting } from "./support/fitting-values.ts";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";

/** What is managed that has limits and budgets. */
const MANAGED = /^\/(key|team|user|organization|customer|end_user|budget|tag)\//;

/** Their operations that take a body, of every feature: a new one, and a new field of one, is walked too. */
const operations = (await groupsOf(resolve(import.meta.dirname, "../src")))
  .flatMap((group) => group.operations)
  .filter(({ path, request }) => MANAGED.test(path) && request?.content["application/json"] !== undefined);

const operationOf = (id: string): Operation => operations.find((operation) => operation.id === id)!;

/** A field of a body, with a body that has the text `"@"` in its place. */
interface Place {
  readonly path: string;
  readonly template: string;
}

/** Every place in bodies of an operation where a member of a kind stands, at any depth. */
function placesOf({ request }: Operation, isKind: (schema: Schema) => boolean): Place[] {
  const schema = request!.content["application/json"]!;
  const whole = fitting(schema) as Record<string, unknown>;
  const needed = Object.fromEntries((schema.required ?? []).map((name) => [name, whole[name]]));
  const placed = (at: Schema, path: string): [path: string, value: unknown][] => [
    ...(isKind(at) ? ([[path, "@"]] as [string, unknown][]) : []),
    ...(at.anyOf ?? []).flatMap((one) => placed(one, path)),
    ...Object.entries(at.properties ?? {}).flatMap(([name, member]) =>
      placed(member, `${path}.${name}`).map(([where, value]): [string, unknown] => [
        where,
        { ...(fitting(at) as object), [name]: value },
      ]),
    ),
    ...(at.additionalProperties ? placed(at.additionalProperties as Schema, `${path}.x`) : []).map(
      ([where, value]): [string, unknown] => [where, { x: value }],
    ),
    ...(at.items ? placed(at.items, `${path}.0`) : []).map(([where, value]): [string, unknown] => [
      where,
      [value],
    ]),
  ];
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    placed(member, name).map(([path, value]) => ({
      path,
      template: JSON.stringify({ ...needed, [name]: value }),
    })),
  );
}

const isNumber = ({ type }: Schema): boolean => type === "number" || type === "integer";
const isLength = ({ pattern }: Schema): boolean =>
  pattern !== undefined && new RegExp(pattern, "u").test("30d") && !new RegExp(pattern, "u").test("x");

/** What JSON cannot say, or only as a number that is none: the body as a whole is refused. */
const NO_JSON = ["1e999", "-1e999", "NaN", "Infinity"];
/** What is no number of anything. */
const NO_NUMBERS = [...NO_JSON, "-1", "-1e-9", "1e308", '"NaN"', '"Infinity"', '""', "true", "[]", "{}"];
/** The smallest and oddest that are, which must not break anything. */
const ODD_NUMBERS = ['"5"', "0", "-0", "1e-320", "0.1"];
const NO_LENGTHS = [
  '""',
  '" "',
  '"-1d"',
  '"1.5d"',
  '"1"',
  '"d"',

  '"1 d"',
  '"\\u0663d"',
  "5",
  "true",
  "[]",
  "{}",
];
const ODD_LENGTHS = ['"0s"', '" 1d"', '"1s"', '"99999999999d"', `"${"9".repeat(400)}d"`];

describe("Fields of what is managed", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway?.close());

  async function send({ path, method }: Operation, body: string) {
    const answer = await fetch(`${gateway.url}${path.replaceAll(/\{\w+\}/g, "nowhere")}`, {
      method,
      headers: { authorization: `Bearer ${gateway.masterKey}`, "content-type": "application/json" },
      body,
    });
    const text = await answer.text();
    const { error } = (text.startsWith("{") ? JSON.parse(text) : {}) as { error?: { param: string | null } };
    return { status: answer.status, param: error?.param ?? null };
  }

  /** What was not answered as it should be. */
  async function walk(isKind: (schema: Schema) => boolean, bad: readonly string[], odd: readonly string[]) {
    const wrong: unknown[] = [];
    let places = 0;
    for (const operation of operations) {
      for (const { path, template } of placesOf(operation, isKind)) {
        places += 1;
        for (const value of bad) {
          const answer = await send(operation, template.replace('"@"', value));
          const param = NO_JSON.includes(value) ? "request_body" : path;
          const isRefused = answer.status === 400 && answer.param === param;
          if (!isRefused) wrong.push([operation.id, path, value, answer]);
        }
        for (const value of odd) {
          const answer = await send(operation, template.replace('"@"', value));
          if (answer.status >= 500) wrong.push([operation.id, path, value, answer]);
        }
      }
    }
    return { wrong, places };
  }

  it("refuse what is no number, by the field's name", { timeout: 300_000 }, async () => {
    const { wrong, places } = await walk(isNumber, NO_NUMBERS, ODD_NUMBERS);
    expect(places).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it("refuse what is no length of time, by the field's name", { timeout: 300_000 }, async () => {
    const { wrong, places } = await walk(isLength, NO_LENGTHS, ODD_LENGTHS);
    expect(places).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  it("name parents that are there", async () => {
    // What every body names that fits: those that change something find it.
    await send(operationOf("createTeam"), JSON.stringify({ team_id: "x" }));
    await send(operationOf("createUser"), JSON.stringify({ user_id: "x" }));
    const wrong: unknown[] = [];
    let places = 0;
    for (const operation of operations.filter(({ path }) => /\/(new|update|generate)$/.test(path))) {
      const schema = operation.request!.content["application/json"]!;
      const [, own] = /^\/(\w+)\//.exec(operation.path)!;
      const needed: Record<string, unknown> = Object.fromEntries(
        (schema.required ?? []).map((name) => [name, (fitting(schema) as Record<string, unknown>)[name]]),
      );
      if (operation.path.endsWith("update")) needed.user_id = "x";
      else if (own !== "key") for (const name of schema.required ?? []) needed[name] = `new ${own}`;
      for (const parent of ["team_id", "organization_id", "budget_id"]) {
        if (schema.properties?.[parent] === undefined || parent === `${own}_id`) continue;
        places += 1;
        const named = Object.entries(needed).filter(([name]) => schema.properties![name] !== undefined);
        const body = { ...Object.fromEntries(named), [parent]: "nowhere" };
        const { status, param } = await send(operation, JSON.stringify(body));
        // What is to be changed is looked for first.
        const isOfChanged = operation.path.endsWith("update") && status === 404;
        if (!isOfChanged && (status !== 400 || param !== parent))
          wrong.push([operation.id, parent, status, param]);
      }
    }
    expect(places).toBeGreaterThan(8);
    expect(wrong).toEqual([]);
  });
});

describeOnEachDeployment("Changes at the same moment", (start) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await start();
  });
  afterAll(() => gateway?.close());

  async function call(path: string, body?: object, init: CallInit = {}) {
    const answer = await gateway.call(path, { ...init, ...(body && { body }) });
    return { status: answer.status, content: (await answer.json()) as Record<string, unknown> };
  }

  async function ask(path: string, body?: object, init: CallInit = {}): Promise<Record<string, unknown>> {
    const { status, content } = await call(path, body, init);
    expect(status, `${path}: ${JSON.stringify(content)}`).toBe(200);
    return content;
  }

  const owners = budgetOwners(ask);
  it.each(Object.entries(owners))("of a %s are all kept", async (name, owner) => {
    const id = `changed ${name}`;
    await owner.make(id, { max_budget: 1, budget_duration: "1d" });
    const fields = { max_rollover: 3, rpm_limit: 4, tpm_limit: 5, budget_duration: "2d", soft_budget: 6 };
    const changes = Object.entries(fields).filter(([field]) => name !== "member" || field !== "soft_budget");
    for (let round = 1; round <= 3; round += 1) {
      const given = changes.map(([field, value]) => [
        field,
        typeof value === "number" ? value * round : `${round}d`,
      ]);
      await Promise.all(given.map(([field, value]) => owner.change(id, { [field as string]: value })));
      expect(await owner.show(id)).toMatchObject(Object.fromEntries(given));
    }
  });

  it("leave no key of a team that is deleted meanwhile, and fail nobody otherwise", async () => {
    for (let round = 0; round < 5; round += 1) {
      const team_id = `deleted ${round}`;
      await ask("/team/new", { team_id });
      const made = Array.from({ length: 4 }, () => call("/key/generate", { team_id }));
      const updates = Array.from({ length: 2 }, (_, index) =>
        call("/team/update", { team_id, rpm_limit: index }),
      );
      const deletes = Array.from({ length: 2 }, () => call("/team/delete", { team_ids: [team_id] }));
      const all = await Promise.all([...made, ...updates, ...deletes]);
      expect(all.filter(({ status }) => ![200, 400, 404].includes(status))).toEqual([]);
      expect(await call(`/team/info?team_id=${team_id}`)).toMatchObject({ status: 404 });
      for (const { status, content } of await Promise.all(made)) {
        if (status !== 200) continue;
        expect(await call(`/key/info?key=${content.key as string}`)).toMatchObject({ status: 404 });
      }
    }
  });
});
