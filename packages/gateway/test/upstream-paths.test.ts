import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isUpstreamName, upstreamPath, upstreamSteps } from "../src/contract/upstream-path.ts";
import { requirePlainAddress } from "../src/platform/transport/plain-address.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { rawRequest } from "./support/raw-request.ts";
import { type RecordingUpstream, startRecordingUpstream } from "./support/recording-upstream.ts";

const KEY = "sk-plain-0123456789";
const base64 = (text: string): string => Buffer.from(text).toString("base64url");

/** Ids that are none, as they stand in a path. */
const spellings: readonly string[] = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%2E.",
  "%252e%252e",
  "%25252e%25252e",
  "..%2f..",
  "a%2f..%2fb",
  "a%252f..%252fb",
  "%2f",
  "a%2f%2fb",
  "a%2f",
  "..%5c..",
  "a%5cb",
  "a%255cb",
  "a%00",
  "a%0d%0ab",
  "a%09b",
  "a%7f",
];

/** Ids in LiteLLM's forms whose inner id is none. */
const litellmSpellings: readonly string[] = ["..", "a/../b", "", "%2e%2e", "a\\b"].flatMap((inner) => [
  `video_${base64(`litellm:custom_llm_provider:openai;model_id:dep-1;video_id:${inner}`)}`,
  `resp_${base64(`litellm:custom_llm_provider:openai;model_id:dep-1;response_id:${inner}`)}`,
  `cntr_${base64(`litellm:custom_llm_provider:openai;model_id:dep-1;container_id:${inner}`)}`,
  base64(`litellm_proxy;model_id:dep-1;llm_batch_id:${inner}`),
  `file-${base64(`litellm:${inner};model,gpt`)}`,
  `batch_${base64(`litellm:${inner};model,gpt`)}`,
  ...(inner === ""
    ? []
    : [base64(`litellm_proxy:application/json;unified_id,1;llm_output_file_id,${inner}`)]),
]);

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Routes whose ids are names of the gateway's own; they lead to no address. */
const ownNames = /^\/(?:v1\/)?(?:a2a|agents|key|spend|models|conversations)(?:\/|$)|^\/\.well-known/;

describe("every route with an id in its path", () => {
  let upstream: RecordingUpstream;
  let gateway: TestGateway;
  const before = { ...process.env };

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: gpt, gateway_params: {model: openai/gpt-4o, api_base: "${upstream.url}/v1", api_key: sk-up}, model_info: {id: dep-1}}
environment_variables: {OPENAI_API_KEY: sk-up, OPENAI_API_BASE: "${upstream.url}/v1"}
keys: [{key: ${KEY}}]
`,
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    process.env = before;
  });

  async function operations(): Promise<Operation[]> {
    const document = (await (await gateway.call("/openapi.json")).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    );
  }

  it("refuses ids that are steps of a path, and asks nobody", async () => {
    const wrong: string[] = [];
    const withIds = (await operations()).filter(
      ({ path }) => /\{(?!provider)/.test(path) && !ownNames.test(path),
    );
    expect(withIds.length).toBeGreaterThan(40);
    for (const { method, path } of withIds) {
      for (const place of path.match(/\{(?!provider)[^}]+\}/g) ?? []) {
        // Files in containers have the provider's ids, which say nothing.
        const isOpaque = /containers.*files\/$/.test(path.slice(0, path.indexOf(place)));
        for (const spelling of isOpaque ? spellings : [...spellings, ...litellmSpellings]) {
          for (const query of ["", "?limit=10"]) {
            const address =
              path
                .replace(place, spelling)
                .replace("{provider}", "openai")
                .replace(/\{[^}]+\}/g, "id_1") + query;
            upstream.forget();
            const { status } = await rawRequest(gateway.url, method, address, KEY, bodyOf(method));
            // A list's own address may come out of an id that is empty or the last in the path.
            const isRefused = status === 400 || status === 404 || status === 405;
            if (!isRefused || upstream.seen.length > 0)
              wrong.push(`${method} ${address}: ${status}, asked ${upstream.seen.map((one) => one.path)}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it("lets an ordinary id pass", async () => {
    upstream.forget();
    expect((await rawRequest(gateway.url, "GET", "/v1/containers/cntr_1?x=1", KEY)).status).toBe(200);
    expect(upstream.seen.map(({ path }) => path)).toEqual(["/v1/containers/cntr_1"]);
  });
});

function bodyOf(method: string): string | undefined {
  return method === "POST" ? JSON.stringify({ prompt: "a cat", file_id: "file-1" }) : undefined;
}

describe("upstreamPath", () => {
  it("keeps each name within its segment", () => {
    expect(upstreamPath`/batches/${"a/b c"}/cancel`).toBe("/batches/a%2Fb%20c/cancel");
    expect(upstreamPath`/files/${"x?y#z"}`).toBe("/files/x%3Fy%23z");
    expect(upstreamSteps("models/veo/operations/1")).toBe("/models/veo/operations/1");
  });

  it.each([
    "",
    ".",
    "..",
    "a/..",
    "/a",
    "a/",
    "a//b",
    "%2e%2e",
    "a%2Fb",
    "a\\b",
    "a\nb",
    "\ud800",
    "a".repeat(5000),
  ])("refuses %j", (name) => {
    expect(isUpstreamName(name)).toBe(false);
    expect(() => upstreamPath`/files/${name}`).toThrow("An id in the request is not valid");
    expect(() => upstreamSteps(name)).toThrow("An id in the request is not valid");
  });
});

it.each([
  "http://a/v1/../b",
  "http://a/v1/%2e%2E/b",
  "http://a/v1/.",
  "http://a/%252e%252e/b",
  "http://a/..%2fb",
  "http://a/b\\c",
  "http://a/b%5Cc",
  "http://a/b c",
  "http://a/b\nc",
])("sends nothing to %j", (address) => {
  expect(() => requirePlainAddress(address)).toThrow("An id in the request is not valid");
});

it("leaves dots in names and queries alone", () => {
  for (const address of ["http://a/v1.5/..b/c..", "http://a/b?c=../d", "http://a/b?c=%5C"])
    expect(() => requirePlainAddress(address)).not.toThrow();
});

/** Where text is percent-encoded for something else than an upstream's path. */
const otherEncoders = [
  "contract/upstream-path.ts",
  // The caller's own addresses, at the gateway.
  "cli/batch-command.ts",
  "features/agents/a2a/routes.ts",
  // Names that the operator wrote or a machine's own service told.
  "providers/azure/azure-address.ts",
  "providers/azure/entra-identity.ts",
  "providers/bedrock/credentials/machine-credentials.ts",
  "platform/config/read-redis.ts",
  // Keys of objects that the gateway names itself.
  "features/files/s3-storage.ts",
];

it("is the only place that puts names into an upstream's path", () => {
  const source = resolve(import.meta.dirname, "../src");
  const found = globSync("**/*.ts", { cwd: source })
    .filter((file) => !file.endsWith(".test.ts"))
    .filter((file) => /encodeURIComponent|as UpstreamPath/.test(readFileSync(resolve(source, file), "utf8")));
  expect(found.filter((file) => !otherEncoders.includes(file))).toEqual([]);
});
