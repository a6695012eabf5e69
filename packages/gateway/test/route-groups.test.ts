import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyOperation, startWholeGateway } from "./rules/everything.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** Every route belongs to those that manage or to those that call models, and the type of a key says which it may ask for. */
type Type = "llm_api" | "management" | "read_only";

/** What calls models and what is made for that, by the tags of `/openapi.json`. */
const CALLS: ReadonlySet<string> = new Set([
  "A2A",
  "Batches",
  "Chat completions",
  "Containers",
  "Conversations",
  "Embeddings",
  "Files",
  "Generate content",
  "Message batches",
  "Messages",
  "Models",
  "Pass-through",
  "Responses",
  "Videos",
]);
/** What every key may ask about itself. */
const OWN: ReadonlySet<string> = new Set(["Console", "Health", "Sign-in"]);
/** Paths of LiteLLM's groups. */
const LITELLMS: Readonly<Record<string, readonly Type[]>> = {
  "GET /model/info": ["management", "read_only"],
  "GET /v2/model/info": ["management", "read_only"],
  "GET /model_group/info": ["management", "read_only"],
  "GET /v1/models": ["llm_api", "read_only"],
  "GET /models": ["llm_api", "read_only"],
  "GET /v1/models/{model}": ["llm_api", "read_only"],
  "GET /models/{model}": ["llm_api", "read_only"],
  "POST /utils/token_counter": ["llm_api"],
  "POST /spend/calculate": ["management"],
};

const operations = (await everyOperation()).filter(({ access }) => access !== "public");
let gateway: TestGateway;
let tags: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>;
const keys = new Map<Type, string>();

beforeAll(async () => {
  gateway = await startWholeGateway(startTestGateway);
  const description = await fetch(`${gateway.url}/openapi.json`);
  tags = ((await description.json()) as { paths: typeof tags }).paths;
  for (const key_type of ["llm_api", "management", "read_only"] as const) {
    const made = await gateway.call("/key/generate", { body: { key_type, user_role: "proxy_admin" } });
    keys.set(key_type, ((await made.json()) as { key: string }).key);
  }
});
afterAll(() => gateway?.close());

function expected(method: string, form: string): readonly Type[] | undefined {
  const [tag = ""] = tags[form]![method.toLowerCase()]!.tags;
  const own = LITELLMS[`${method} ${form}`];
  if (own !== undefined) return own;
  if (OWN.has(tag)) return undefined;
  if (CALLS.has(tag)) return ["llm_api"];
  if (tag === "Agents" && method === "GET") return ["llm_api", "read_only"];
  return method === "GET" ? ["management", "read_only"] : ["management"];
}

describe("The type of a key decides", () => {
  it.each(operations)("on $id", async ({ method, forms }) => {
    for (const form of forms) {
      const types = expected(method, form);
      if (types === undefined) continue;
      const path = form.replaceAll(/\{\w+\}/g, "none");
      const admitted: Type[] = [];
      for (const [type, key] of keys) {
        const answer = await gateway.call(path, { method, key, ...(method === "GET" ? {} : { body: {} }) });
        const text = await answer.text();
        const isRefused = answer.status === 403 && text.includes("it is not among its allowed_routes");
        if (!isRefused) admitted.push(type);
      }
      expect([method, form, admitted]).toEqual([method, form, types]);
    }
  });
});
