import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unknownFields } from "../src/formats/known-fields.ts";
import { groupsOf } from "./reference/api-page.ts";
import { startWholeGateway } from "./rules/everything.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly "x-beta"?: boolean;
}

const sources = resolve(import.meta.dirname, "../src");
/** Where each format's fields are read for providers of another format. */
const readers = {
  chat: "to-call-options.ts",
  messages: "to-call-options.ts",
  responses: "to-call-options.ts",
  gemini: "to-call-options.ts",
  embeddings: "read-request.ts",
} as const;
/** Every description of the sources, whether or not its feature hands it over. */
const groups = await groupsOf(sources);

let gateway: TestGateway;
let document: { paths: Record<string, Record<string, DescribedOperation>>; components: object };

beforeAll(async () => {
  gateway = await startTestGateway();
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as typeof document;
});
afterAll(() => gateway.close());

function operations(): [name: string, operation: DescribedOperation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, DescribedOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

describe("GET /openapi.json", () => {
  it("is a valid OpenAPI 3.1 document", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it("describes every route of the gateway; a new one needs a line in the schema.ts of its feature", () => {
    const known = new Set(groups.map(({ tag }) => tag));
    const without = operations().filter(([, { tags }]) => !known.has(tags[0]!));
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it.each([
    ["/v1/chat/completions", "chat"],
    ["/v1/messages", "messages"],
    ["/v1/responses", "responses"],
    ["/v1beta/models/{model}:generateContent", "gemini"],
    ["/v1/embeddings", "embeddings"],
  ] as const)(
    "describes the fields of %s that drop_params leaves in, no more and no fewer",
    (path, format) => {
      const { requestBody } = document.paths[path]!.post as unknown as {
        requestBody: { content: { "application/json": { schema: { properties: object } } } };
      };
      const { properties } = requestBody.content["application/json"].schema;
      expect(unknownFields(properties, format)).toEqual([]);
      const reader = readFileSync(join(sources, "formats", format, readers[format]), "utf8");
      const read = [...reader.matchAll(/\bbody\.([A-Za-z_]+)/g)].map(([, name]) => name!);
      // Other providers' words, which are taken along.
      const beyond = {
        chat: ["top_k", "reasoning", "thinking"],
        messages: [],
        responses: [],
        gemini: [],
        embeddings: ["task_type", "title", "auto_truncate"],
      };
      const undescribed = [...new Set(read)].filter((name) => !(name in properties));
      expect(undescribed.filter((name) => !(beyond[format] as string[]).includes(name))).toEqual([]);
    },
  );

  const namesIn = (described: typeof groups): string[] =>
    described.flatMap((group) => group.operations.map(({ method, path }) => `${method} ${path}`));

  it("describes nothing that the gateway does not have", () => {
    const served = new Set(operations().map(([name]) => name));
    const described = namesIn(groups.filter(({ isOptional }) => isOptional !== true));
    expect(described.filter((name) => !served.has(name))).toEqual([]);
  });

  it("describes what settings ask for where they do, and nowhere else", async () => {
    const other = await startWholeGateway();
    try {
      const whole = (await (await fetch(`${other.url}/openapi.json`)).json()) as typeof document;
      const served = Object.entries(whole.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const optional = namesIn(groups.filter(({ isOptional }) => isOptional === true));
      expect(optional.filter((name) => !served.includes(name))).toEqual([]);
      expect(operations().filter(([name]) => optional.includes(name))).toEqual([]);
      expect((await new Validator().validate(structuredClone(whole))).errors).toBeUndefined();
      const all = Object.values(whole.paths).flatMap((item) => Object.values(item));
      const ids = all.map(({ operationId }) => operationId);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      const known = new Set(groups.map(({ tag }) => tag));
      expect(all.filter(({ tags }) => !known.has(tags[0]!))).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it("names all forms of a path", () => {
    const names = operations().map(([name]) => name);
    for (const name of [
      "POST /v1/messages",
      "POST /anthropic/v1/messages",
      "POST /openai/deployments/{model}/chat/completions",
      "GET /containers/{container_id}",
      "GET /v1/videos/{video_id}/content",
      "GET /{provider}/v1/files/{file_id}",
      "POST /v1/models/{model}:streamGenerateContent",
      "POST /gemini/v1beta/models/{model}:countTokens",
      "POST /v1beta1/projects/{project}/locations/{location}/publishers/{publisher}/models/{model}:generateContent",
      "GET /gemini/v1/models/{model}",
    ])
      expect(names).toContain(name);
  });

  it("tells generated clients operations and path parameters apart", () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const [name, { parameters }] of operations()) {
      const inPath = parameters.filter((parameter) => parameter.in === "path").map((p) => `{${p.name}}`);
      expect([name, name.match(/\{\w+\}/g) ?? []]).toEqual([name, inPath]);
    }
  });

  it("labels Messages and Agents as beta, and nothing else", () => {
    const beta = operations().filter((entry) => entry[1]["x-beta"]);
    expect(new Set(beta.map(([, { tags }]) => tags[0]))).toEqual(new Set(["Messages", "Agents"]));
    for (const [name, operation] of operations()) {
      const isBeta = /\/v1\/(messages(?!\/batches)|agents)/.test(name);
      expect([name, operation["x-beta"] ?? false]).toEqual([name, isBeta]);
      expect([name, operation.summary.endsWith("(beta)")]).toEqual([name, isBeta]);
    }
  });

  it("asks for a key exactly where the gateway does", async () => {
    // Cards of agents are public or not, one by one.
    const gets = operations().filter(([name]) => name.startsWith("GET ") && !name.includes(".well-known"));
    for (const [name, { security, responses }] of gets) {
      const path = name.slice(4).replaceAll(/\{\w+\}/g, "x");
      const { status } = await fetch(gateway.url + path);
      expect([name, status === 401]).toEqual([name, security.length > 0]);
      expect([name, "401" in responses]).toEqual([name, security.length > 0]);
    }
  });
});
