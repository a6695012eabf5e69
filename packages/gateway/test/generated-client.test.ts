import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GeneratedClient, generateClient } from "./generated-client/generate.ts";
import { type Operation, operationsOf } from "./rules/operations.ts";
import { addressOf, examples, type Ids } from "./rules/requests.ts";
import { keys, ROWS, type Stage, startStage } from "./rules/stage.ts";

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema?: object }>> }>
  >;
}

let stage: Stage;
let client: GeneratedClient;
let document: { paths: Record<string, Record<string, Described>>; components: object };
let operations: readonly Operation[];
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

beforeAll(async () => {
  stage = await startStage();
  const text = await (await fetch(`${stage.gateway.url}/openapi.json`)).text();
  document = JSON.parse(text) as typeof document;
  ajv.addSchema({ $id: "openapi:/", ...document });
  client = await generateClient(text);
  operations = await operationsOf(stage.gateway);
});
afterAll(async () => {
  client?.remove();
  await stage?.close();
});

/** What a path's parameters are in an address. */
function pathIn(form: string, address: string): Record<string, string> {
  const names = [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const pattern = form.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "(.+)");
  const [, ...values] = new RegExp(`^${pattern}$`).exec(address) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]));
}

async function bodyOf(operation: Operation, ids: Ids): Promise<unknown> {
  // Where a form and JSON are described, the generated client sends JSON.
  if (operation.id === "createContainerFile") return { file_id: (await stage.make("file")).file };
  const { body, form, fields } = examples[operation.id]!;
  if (form !== undefined) return { ...form, file: new File([ROWS], "rows.jsonl") };
  return fields === undefined ? body?.(ids) : fields(ids);
}

/** What is wrong with the answer of an operation at one of its paths. */
async function faultOf(operation: Operation, form: string): Promise<string | undefined> {
  const { id, access, method } = operation;
  const { needs, query, byAdmin, headers, success = 200 } = examples[id]!;
  const ids = needs === undefined ? {} : await stage.make(needs);
  const described = document.paths[form]![method.toLowerCase()]!;
  const called = Object.entries(client.operations).find(
    ([name]) => name.toLowerCase() === described.operationId.replaceAll("_", "").toLowerCase(),
  )?.[1];
  if (called === undefined) return "the generated client lacks it";
  const isAdmins = byAdmin === true || access === "admin";
  const { url, masterKey } = stage.gateway;
  const passes = form.endsWith("/{path}");
  const address = addressOf(operation, form, ids);
  const server = client.createClient({
    baseUrl: url,
    auth: () => ids.session ?? (isAdmins ? masterKey : keys.alice),
    parseAs: "stream",
    redirect: "manual",
  });
  // Clients encode the slashes of a parameter, and OpenAPI 3.1 has no word for one that is the rest of a path.
  const call = passes ? server.request : called;
  const { response, error } = await call({
    client: server,
    ...(passes
      ? { url: address, method, security: [{ type: "http", scheme: "bearer" }] }
      : { path: pathIn(form, address) }),
    query: Object.fromEntries(new URLSearchParams(query?.(ids) ?? "")),
    headers: { ...(operation.path === "/ui/session" ? { "x-portico-console": "1" } : {}), ...headers?.(ids) },
    body: await bodyOf(operation, ids),
  });
  // What is no success the client has read already.
  const text = response.bodyUsed ? textOf(error) : await response.text();
  if (response.status !== success) return `${response.status} in place of ${success}: ${text.slice(0, 200)}`;
  const answer = described.responses[response.status];
  if (answer === undefined) return `describes no ${success}`;
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (text === "") return answer.content === undefined ? undefined : "is described with a body and has none";
  const content = Object.entries(answer.content ?? {}).find(([name]) => name === type || name === "*/*");
  if (content === undefined) return `answers ${type}, which is not described`;
  if (!/[/+]json$/.test(type)) return undefined;
  const pointer = [
    "paths",
    form,
    method.toLowerCase(),
    "responses",
    `${success}`,
    "content",
    content[0],
    "schema",
  ];
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
  const validate = ajv.compile({ $ref: `openapi:/#/${path.join("/")}` });
  if (validate(JSON.parse(text))) return undefined;
  return `${ajv.errorsText(validate.errors?.slice(0, 4))} in ${text.slice(0, 300)}`;
}

function textOf(error: unknown): string {
  const text = typeof error === "string" ? error : JSON.stringify(error);
  return text === "{}" ? "" : text;
}

it("calls every operation of the description, and each answers what is described", async () => {
  expect(operations.length).toBeGreaterThan(200);
  const faults: string[] = [];
  for (const operation of operations)
    for (const form of operation.forms) {
      const fault = await faultOf(operation, form).catch((error: unknown) => `throws ${String(error)}`);
      if (fault !== undefined) faults.push(`${operation.id} ${operation.method} ${form}: ${fault}`);
    }
  expect(faults).toEqual([]);
});
