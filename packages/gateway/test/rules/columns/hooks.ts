import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RawAnswer } from "../../support/raw-request.ts";
import { until } from "../../support/until.ts";
import type { Operation } from "../operations.ts";
import { plain, plainAnswer } from "../plain.ts";
import { ask, examples, type Ids, kindOf, modelsFor, successOf } from "../requests.ts";
import { keys, type Stage } from "../stage.ts";
import type { Column, Exemption } from "./column.ts";

/** What the hooks noted, and what they put into the data of a call that they steer: files in the stage's folder. */
let told = "";
let steering = "";

/** The call's id says what the hooks do to it. */
function moduleIn(folder: string): string {
  told = join(folder, "told.log");
  steering = join(folder, "steering.json");
  return `import { appendFileSync, readFileSync } from "node:fs";
const tell = (context, moment, more) =>
  appendFileSync(${JSON.stringify(told)}, JSON.stringify({ id: context.callId, moment, ...more }) + "\\n");
const says = (context, word) => context.callId.endsWith(word);
const merge = (into, from) => {
  for (const [name, member] of Object.entries(from))
    if (into[name] && typeof member === "object") merge(into[name], member);
    else into[name] = member;
};
const edit = (value) => {
  if (typeof value === "string") return value.replaceAll("ORIGINAL", "CHANGED");
  if (Array.isArray(value)) return value.map(edit);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, edit(member)]));
};
export const preCall = (context) => {
  tell(context, "before");
  if (says(context, "refuse")) throw Object.assign(new Error("no"), { status: 403 });
  if (says(context, "junk")) return "nonsense";
  if (says(context, "in-place")) for (const [name, member] of Object.entries(edit(context.data))) context.data[name] = member;
  if (says(context, "returned")) return edit(context.data);
  if (says(context, "assigned")) context.data = edit(context.data);
  if (says(context, "steered")) merge(context.data, JSON.parse(readFileSync(${JSON.stringify(steering)}, "utf8")));
};
export const duringCall = (context) => {
  if (says(context, "beside")) throw Object.assign(new Error("not this one"), { status: 403 });
};
export const postCallSuccess = (context, answer) => {
  tell(context, "after");
  if (says(context, "in-place") || says(context, "assigned")) answer.hooked = "yes";
  if (says(context, "returned")) return { ...answer, hooked: "yes" };
};
export const failure = (context, { code, type }) => tell(context, "failure", { code, type });
`;
}

interface Told {
  readonly id: string;
  readonly moment: string;
  readonly code?: string;
  readonly type?: string;
}

function momentsOf(id: string): readonly Told[] {
  if (!existsSync(told)) return [];
  const lines = readFileSync(told, "utf8").split("\n");
  return lines.filter((line) => line.includes(`"${id}"`)).map((line) => JSON.parse(line) as Told);
}

const unseen: Exemption = {
  why: "is no call: it looks after the gateway itself, and hooks do not see it",
  check: async (stage, operation) => {
    const callId = nextId("refuse");
    expect((await ask(stage, operation, { callId })).status).toBe(successOf(operation));
    expect(momentsOf(callId)).toEqual([]);
  },
};

let count = 0;
const nextId = (word: string): string => `call-${++count}-${word}`;

export const hooks: Column = {
  name: "hooks",
  about:
    "what `preCall` changes in place or returns reaches the provider alike, of the caller's format or of another one, and what `postCallSuccess` does reaches the caller; what a hook refuses asks no provider; a result that is no object is 500; `failure` is told once",
  stage: () => ({ hooks: moduleIn }),
  exempt: (operation) => (examples[operation.id]!.hooks ? undefined : unseen),
  holds: async (stage, operation, form) => {
    await differsNot(stage, operation, form);
    await translates(stage, operation, form);
    await refuses(stage, operation, form, "refuse", 403, "permission_error");
    await refuses(stage, operation, form, "junk", 500, undefined);
    const callId = nextId("beside");
    const answer = await ask(stage, operation, { form, callId });
    expect([isFailure(operation, answer, 403), answer]).toEqual([true, answer]);
    await failsOnce(callId, "403", "permission_error");
    await steers(stage, operation, form);
  },
};

/** Ids, provider and query of the data are what hooks leave them: another tenant's object is 404 also then. */
async function steers(stage: Stage, operation: Operation, form: string): Promise<void> {
  const { needs, lists, isBound } = examples[operation.id]!;
  const ids = needs === undefined ? {} : await stage.make(needs);
  const steer = async (data: object, by = ids) => {
    writeFileSync(steering, JSON.stringify(data));
    return ask(stage, operation, { form, ids: by, callId: nextId("steered") });
  };
  const named = operation.ids.flatMap((name) => {
    const kind = kindOf(name, operation.path);
    return kind === undefined || kind === "agent" ? [] : [{ name, kind }];
  });
  const idsOf = (made: Ids) => Object.fromEntries(named.map(({ name, kind }) => [name, made[kind]]));
  if (named.length > 0) {
    const theirs = await steer(idsOf(await stage.make(needs!, keys.bob)));
    expect(["another tenant's", theirs.status, stage.asked()]).toEqual(["another tenant's", 404, []]);
    const another = await stage.make(needs!);
    const { status, body } = await steer(idsOf(another));
    expect([status, body]).toEqual([200, expect.not.stringContaining(ids[named[0]!.kind]!)]);
  }
  // Elsewhere an id of the gateway's own leads where it was made, whatever selectors say.
  const hasSelector = /\/(?:files|containers|videos)/.test(operation.path) && (lists ?? needs) !== undefined;
  if (hasSelector) expect((await steer({ custom_llm_provider: "nobody" })).status).toBe(400);
  if (lists !== undefined && isBound) {
    await steer({ query_params: { limit: "1" } });
    expect(stage.asked().join()).toContain("limit=1");
  }
}

async function refuses(
  stage: Stage,
  operation: Operation,
  form: string,
  word: string,
  status: number,
  type: string | undefined,
): Promise<void> {
  const callId = nextId(word);
  const answer = await ask(stage, operation, { form, callId });
  expect([isFailure(operation, answer, status), answer]).toEqual([true, answer]);
  expect(stage.asked()).toEqual([]);
  await failsOnce(callId, String(status), type);
}

/** A turn of an agent that was begun and fails is a task that failed; one that may not begin is the caller's error. */
function isFailure({ id }: Operation, answer: RawAnswer, status: number): boolean {
  if (examples[id]!.isTask === true && answer.status === 200)
    return /TASK_STATE_FAILED|"code":-32603/.test(answer.body);
  return answer.status === status;
}

async function failsOnce(callId: string, code: string, type: string | undefined): Promise<void> {
  await until(async () => momentsOf(callId).some(({ moment }) => moment === "failure"));
  const failures = momentsOf(callId).filter(({ moment }) => moment === "failure");
  expect(failures).toEqual([{ id: callId, moment: "failure", code, type: type ?? expect.anything() }]);
  expect(momentsOf(callId).filter(({ moment }) => moment === "before")).toHaveLength(1);
}

/** In place and returned: the same to the provider, the same to the caller. */
async function differsNot(stage: Stage, operation: Operation, form: string): Promise<void> {
  const seen: unknown[] = [];
  for (const word of ["in-place", "assigned", "returned"]) {
    const callId = nextId(word);
    const { status, body, headers } = await ask(stage, operation, { form, callId });
    expect([status, body]).toEqual([200, expect.anything()]);
    const asked = stage.asked();
    expect(asked.join()).not.toContain("ORIGINAL");
    if (isJson(headers) && examples[operation.id]!.hooksSeeModels !== true)
      expect([operation.id, body]).toEqual([operation.id, expect.stringContaining('"hooked"')]);
    expect(momentsOf(callId).filter(({ moment }) => moment === "before")).toHaveLength(1);
    seen.push(asked.map(plain));
  }
  expect(seen).toEqual([seen[0], seen[0], seen[0]]);
}

/**
 * Native and translated, whole and streamed: in place and returned the caller gets the same answer to the letter, with the
 * hook's mark where it is whole, and every provider the same texts.
 */
async function translates(stage: Stage, operation: Operation, form: string): Promise<void> {
  const { body, hooksSeeModels, isTask } = examples[operation.id]!;
  const others = modelsFor(operation);
  if (isTask === true || others.length === 0) return;
  const seen = new Map<string, unknown>();
  for (const [other, stream] of others.flatMap((model) => [
    [model, false] as const,
    [model, true] as const,
  ])) {
    const answered: string[] = [];
    for (const word of ["in-place", "returned"]) {
      const given = stream ? { body: { ...body?.({}), model: other, stream } } : { model: other };
      const answer = await ask(stage, operation, { form, ...given, callId: nextId(word) });
      // It has no streams.
      if (stream && !isStream(answer.headers)) break;
      expect([other, answer.status, answer.body]).toEqual([other, 200, expect.anything()]);
      if (isJson(answer.headers) && hooksSeeModels !== true) expect(answer.body).toContain('"hooked"');
      answered.push(plainAnswer(answer.body));
      const asked = stage.asked().join("\n");
      // A provider without the operation is not asked, and the gateway answers itself.
      if (asked === "") continue;
      expect([other, asked]).toEqual([other, expect.not.stringContaining("ORIGINAL")]);
      seen.set(`${other} ${word} ${stream}`, changedTexts(asked));
    }
    expect(answered[1]).toEqual(answered[0]);
  }
  expect(seen.size).toBeGreaterThan(0);
  expect([...seen]).toEqual([...seen].map(([name]) => [name, [...seen.values()][0]]));
}

/** The whole texts of what providers were asked in which something was changed, whatever the members are called there. */
function changedTexts(asked: string): readonly string[] {
  return [...asked.matchAll(/"((?:[^"\\]|\\.)*CHANGED(?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!).sort();
}

function isStream(headers: Readonly<Record<string, unknown>>): boolean {
  return String(headers["content-type"]).includes("text/event-stream");
}

function isJson(headers: Readonly<Record<string, unknown>>): boolean {
  return String(headers["content-type"]).includes("application/json");
}
