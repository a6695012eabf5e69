import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../src/contract/operation.ts";
import type { Schema } from "../src/contract/schema.ts";
import { passThroughDescription } from "../src/features/passthrough/schema.ts";
import { groupsOf } from "./reference/api-page.ts";
import { fits, fitting, misfits } from "./support/fitting-values.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const sources = resolve(import.meta.dirname, "../src");
const groups = await groupsOf(sources);
/** Groups that a setting asks for have tests of their own (sign-in, scim). */
const operations = groups
  .filter(({ isOptional }) => isOptional !== true)
  .flatMap((group) => group.operations);

/** Bodies that go to a model: what its provider's format takes is the provider's to check; see format-fields.test.ts. */
const ofModels = [
  "createChatCompletion",
  "createMessage",
  "countMessageTokens",
  "createResponse",
  "compactResponse",
  "countResponseInputTokens",
  "createEmbedding",
  "generateContent",
  "streamGenerateContent",
  "countContentTokens",
  "embedContent",
  "batchEmbedContents",
];
/** JSON-RPC has errors of its own. */
const ofAgents = ["callAgent", "callAgentAtLiteLlmsPath"];

/** Bodies that pass through as they are. */
const passing = passThroughDescription.operations.map(({ id }) => id);

const withBody = operations.filter(
  ({ id, request }) => request !== undefined && ![...ofModels, ...ofAgents, ...passing].includes(id),
);
const withQuery = operations.filter(({ query }) => query !== undefined);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Refusal {
  readonly status: number;
  readonly error?: { readonly message: string; readonly param: string | null };
}

/** Names in the path that lead nowhere: what is asked for is looked at before where it is to happen. */
async function send(operation: Operation, body: string | FormData | undefined, query = ""): Promise<Refusal> {
  const path = operation.path.replaceAll(/\{\w+\}/g, "nowhere");
  const isText = typeof body === "string";
  const response = await fetch(`${gateway.url}${path}${query}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${gateway.masterKey}`,
      ...(isText ? { "content-type": "application/json" } : {}),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const answer = text.startsWith("{") ? (JSON.parse(text) as Omit<Refusal, "status">) : {};
  return { status: response.status, ...answer, ...googlesRefusal(answer) };
}

/** Google names the field in the error's details. */
function googlesRefusal({ error }: { error?: object }): { error?: Refusal["error"] & object } {
  const { message, details } = { message: "", ...error } as {
    message: string;
    details?: readonly { readonly fieldViolations?: readonly [{ readonly field: string }] }[];
  };
  const violation = Array.isArray(details) ? details.find((one) => one.fieldViolations) : undefined;
  return violation === undefined ? {} : { error: { message, param: violation.fieldViolations[0].field } };
}

/** Whether an answer refuses the form of what was sent, rather than what it names. */
function refusesForm({ status, error }: Refusal): boolean {
  return status === 400 && /expected|^Missing required|^Invalid |^Unknown parameter/.test(error!.message);
}

/** One sentence for every member that is not there; two are the specification's, which has its own. */
const saysMissing =
  /^Missing required parameter: '|^(model|messages) parameter is required$|^completion: Invalid model name passed in model=None; name one of those that GET \/v1\/models lists$/;

function jsonOf({ request }: Operation): Schema | undefined {
  return request?.content["application/json"];
}

function formOf({ request }: Operation): Schema | undefined {
  return request?.content["multipart/form-data"];
}

describe("Every body is read as it is described", () => {
  const json = withBody.filter((operation) => jsonOf(operation) !== undefined);

  it("says what the fields of each are", () => {
    expect(json.length).toBeGreaterThan(15);
    for (const operation of withBody)
      for (const schema of Object.values(operation.request!.content))
        expect([operation.id, Object.keys(schema.properties ?? {}).length > 0]).toEqual([operation.id, true]);
  });

  it.each(json.map((operation) => [operation.id, operation] as const))(
    "%s takes a body that fits",
    async (_, operation) => {
      const schema = jsonOf(operation)!;
      const body = fitting(schema) as Record<string, unknown>;
      expect(fits(schema, body)).toBe(true);
      const named = Object.keys(schema.properties!);
      // One field after the other with those that must be there: some exclude each other.
      const needed = Object.fromEntries((schema.required ?? []).map((name) => [name, body[name]]));
      for (const name of named) {
        const answer = await send(operation, JSON.stringify({ ...needed, [name]: body[name] }));
        const isRefused = refusesForm(answer) && answer.error?.param?.split(".")[0] === name;
        expect([name, isRefused, answer]).toEqual([name, false, answer]);
      }
    },
  );

  it.each(json.map((operation) => [operation.id, operation] as const))(
    "%s refuses each field that does not fit, by its name",
    async (_, operation) => {
      const schema = jsonOf(operation)!;
      const body = fitting(schema) as Record<string, unknown>;
      const needed = Object.fromEntries((schema.required ?? []).map((name) => [name, body[name]]));
      for (const [name, member] of Object.entries(schema.properties!))
        for (const { path, value } of misfits(member, name)) {
          const answer = await send(operation, JSON.stringify({ ...needed, [name]: value }));
          const seen = { status: answer.status, param: answer.error?.param };
          expect([path, value, seen]).toEqual([path, value, { status: 400, param: path }]);
        }
    },
  );

  it.each(json.map((operation) => [operation.id, operation] as const))(
    "%s wants the fields that must be there, and takes others or refuses them as it says",
    async (_, operation) => {
      const schema = jsonOf(operation)!;
      const body = fitting(schema) as Record<string, unknown>;
      const needed = Object.fromEntries((schema.required ?? []).map((name) => [name, body[name]]));
      for (const name of schema.required ?? []) {
        const { [name]: _left, ...rest } = needed;
        for (const sent of [rest, { ...rest, [name]: null }]) {
          const { status, error } = await send(operation, JSON.stringify(sent));
          expect([name, status, error?.param]).toEqual([name, 400, name]);
          expect([name, error?.message]).toEqual([name, expect.stringMatching(saysMissing)]);
        }
      }
      const { status, error } = await send(operation, JSON.stringify({ ...needed, surely_unknown: 1 }));
      const refused = status === 400 && error?.param === "surely_unknown";
      expect(refused).toBe(schema.additionalProperties === false);
    },
  );

  const forms = withBody.filter((operation) => formOf(operation)?.properties !== undefined);

  it.each(forms.map((operation) => [operation.id, operation] as const))(
    "%s reads its form as it is described",
    async (_, operation) => {
      const schema = formOf(operation)!;
      const properties = Object.entries(schema.properties!);
      // A form that passes on as it comes has nothing but the file.
      const read = properties.filter(([, { format }]) => format !== "binary");
      const formWith = (changes: Record<string, string | undefined>): FormData => {
        const form = new FormData();
        for (const [name, member] of read) {
          const value = name in changes ? changes[name] : undefined;
          if (value !== undefined) form.set(name, value);
          else if (schema.required?.includes(name) && !(name in changes))
            form.set(name, String(fitting(member)));
        }
        for (const [name, { format }] of properties)
          if (format === "binary" && !(name in changes)) form.set(name, new Blob(["x"]), "x.txt");
        return form;
      };
      for (const [name, member] of read)
        for (const { path, value } of misfits(member, name)) {
          if (typeof value !== "string" && typeof value !== "number") continue;
          // Every number is a text in a form, and a text fits.
          if (typeof value === "number" && fits(member, String(value))) continue;
          const { status, error } = await send(operation, formWith({ [name]: String(value) }));
          expect([path, value, status, error?.param]).toEqual([path, value, 400, path]);
        }
      for (const name of schema.required ?? []) {
        if (operation.id === "createContainerFile") continue;
        const { status, error } = await send(operation, formWith({ [name]: undefined }));
        expect([name, status, error?.param]).toEqual([name, 400, name]);
      }
    },
  );
});

describe("Every query is read as it is described", () => {
  it("names each parameter that a feature reads without its schema", () => {
    const all = groups.flatMap((group) => group.operations);
    const described = new Set(all.flatMap(({ query }) => Object.keys(query?.properties ?? {})));
    const files = globSync("features/**/*.ts", { cwd: sources }).filter((file) => !file.endsWith(".test.ts"));
    const read = files.flatMap((file) =>
      [...readFileSync(join(sources, file), "utf8").matchAll(/\bquery\.(?:get|has)\("(\w+)"\)/g)].map(
        ([, name]) => name!,
      ),
    );
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((name) => !described.has(name))).toEqual([]);
  });

  it.each(withQuery.map((operation) => [operation.id, operation] as const))(
    "%s takes parameters that fit and refuses others by their names",
    async (_, operation) => {
      for (const [name, member] of Object.entries(operation.query!.properties!)) {
        // What a text names, such as the id behind which a page begins, may be refused.
        if (member.type !== "string" || member.enum !== undefined) {
          const right = await send(operation, undefined, `?${name}=${fitting(member)}`);
          expect([name, right.error?.param === name]).toEqual([name, false]);
        }
        for (const { value } of misfits(member, name)) {
          const text = String(value);
          const isText = value === null || typeof value === "object" || text === "" || fits(member, text);
          if (isText) continue;
          const { status, error } = await send(operation, undefined, `?${name}=${encodeURIComponent(text)}`);
          expect([name, text, status, error?.param]).toEqual([name, text, 400, name]);
        }
        const absent = await send(operation, undefined, `?${name}=`);
        const isNeeded = operation.query!.required?.includes(name) === true;
        expect([name, refusesForm(absent) && absent.error?.param === name]).toEqual([name, isNeeded]);
      }
    },
  );
});

describe("A2A's methods are read as they are described", () => {
  const calls = operations
    .filter(({ id }) => ofAgents.includes(id))
    .flatMap((operation) => jsonOf(operation)!.anyOf!.map((schema) => [operation, schema] as const))
    .flatMap(([operation, schema]) =>
      schema.properties!.method!.enum!.map((method) => [method, operation, schema] as const),
    );

  async function refusal(operation: Operation, body: object): Promise<{ code: number; field?: string }> {
    const { error } = await send(operation, JSON.stringify(body));
    const { code, data } = error as unknown as { code: number; data?: { field: string } };
    return { code, ...(data === undefined ? {} : { field: data.field }) };
  }

  beforeAll(() =>
    gateway.call("/v1/agents", { body: { agent_name: "nowhere", gateway_params: { model: "m" } } }),
  );

  it.each(calls)(
    "%s refuses each part of the envelope that does not fit",
    async (method, operation, schema) => {
      const body = { ...(fitting(schema) as object), method };
      for (const [name, member] of Object.entries(schema.properties!))
        for (const { path, value } of name === "params" ? [] : misfits(member, name)) {
          const { code } = await refusal(operation, { ...body, [name]: value });
          expect([path, value, [-32600, -32601].includes(code)]).toEqual([path, value, true]);
        }
    },
  );

  it.each(calls)("%s refuses each parameter that does not fit", async (method, operation, schema) => {
    const { params, ...rest } = fitting(schema) as { params: object };
    const envelope = { ...rest, method };
    for (const [name, member] of Object.entries(schema.properties!.params!.properties ?? {}))
      for (const { path, value } of misfits(member, name)) {
        const { code, field } = await refusal(operation, {
          ...envelope,
          params: { ...params, [name]: value },
        });
        expect([path, value, code, field]).toEqual([path, value, -32602, path]);
      }
  });
});
