import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { type Resources, startResources } from "./support/resources.ts";
import { responsesConfig } from "./support/responses.ts";

/**
 * What a hook changes in place counts like what it returns: the same reaches the provider and the caller, whether the
 * provider speaks the caller's format or not. A refusal beside the call leaves nothing behind.
 */
const folder = mkdtempSync(join(tmpdir(), "portico-hooks-"));
const failures = join(folder, "failures.log");
let resources: Resources;
let gateway: TestGateway;

/** The call's id says what the hooks do to it. */
const module = `import { appendFileSync } from "node:fs";
const says = (context, word) => context.callId.includes(word);
const edit = (value) => {
  if (typeof value === "string") return value.replaceAll("ORIGINAL", "CHANGED");
  if (Array.isArray(value)) return value.map(edit);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, edit(member)]));
};
export const preCall = (context) => {
  if (says(context, "junk-before")) return JUNK[context.callId.split("-")[2]];
  if (says(context, "refuse-before")) throw Object.assign(new Error("no"), { status: 403 });
  if (says(context, "in-place")) {
    for (const [name, member] of Object.entries(edit(context.data))) context.data[name] = member;
    if (says(context, "returned")) return context.data;
  } else if (says(context, "returned")) return edit(context.data);
};
const JUNK = { text: "nonsense", list: [1], false: false };
export const duringCall = async (context) => {
  if (says(context, "refuse-beside")) throw Object.assign(new Error("not this one"), { status: 403 });
  if (says(context, "refuse-late")) {
    await new Promise((done) => setTimeout(done, 300));
    throw Object.assign(new Error("not this one"), { status: 429 });
  }
};
export const postCallSuccess = (context, answer) => {
  if (says(context, "junk-after")) return "nonsense";
  if (says(context, "in-place")) {
    answer.hooked = "yes";
    if (says(context, "returned")) return answer;
  } else if (says(context, "returned")) return { ...answer, hooked: "yes" };
};
export async function* postCallStream(context, stream) {
  for await (const chunk of stream) {
    yield says(context, "break-stream") ? chunk.subarray(0, chunk.indexOf("\\n\\n") + 2) : chunk;
    if (says(context, "break-stream")) throw new Error("in the middle");
  }
}
export const failure = (context, error) => {
  const { message, type, param, code } = error;
  appendFileSync(${JSON.stringify(failures)}, JSON.stringify({ id: context.callId, message, type, param, code }) + "\\n");
};
`;

beforeAll(async () => {
  writeFileSync(join(folder, "hooks.mjs"), module);
  appendFileSync(failures, "");
  resources = await startResources();
  const { url } = resources.simulator;
  gateway = await resources.start(`${responsesConfig(url).replace(
    "router_settings",
    `  - model_name: embedding
    litellm_params: {model: openai/text-embedding-3-small, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: embedding-google
    litellm_params: {model: gemini/text-embedding-004, api_base: "${url}/google", api_key: simulated}
  - model_name: film
    litellm_params: {model: openai/sora-2, api_base: "${url}/openai/v1", api_key: simulated, output_cost_per_second: 0.1}
router_settings`,
  )}
gateway_settings: {callbacks: ["${join(folder, "hooks.mjs")}"]}
keys:
  - {key: sk-budget-0123456789, max_budget: 1}
  - {key: sk-slow-0123456789, rpm_limit: 1}`);
});
afterAll(async () => {
  await resources?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Endpoint {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

const user = { role: "user", content: "ORIGINAL" };
const chat = (model: string): Endpoint => ({
  path: "/v1/chat/completions",
  body: { model, messages: [user] },
});
const messages = (model: string): Endpoint => ({
  path: "/v1/messages",
  body: { model, max_tokens: 20, messages: [user] },
});
const responses = (model: string): Endpoint => ({
  path: "/v1/responses",
  body: { model, input: "ORIGINAL" },
});
const embeddings = (model: string): Endpoint => ({
  path: "/v1/embeddings",
  body: { model, input: "ORIGINAL" },
});

/** Every way of text to a provider. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  "chat, native": chat("gpt-4o"),
  "chat, translated": chat("claude"),
  "chat, translated to Google": chat("gemini-2.5-flash"),
  "messages, native": messages("claude"),
  "messages, translated": messages("gpt-4o"),
  "responses, native": responses("gpt-4o"),
  "responses, translated": responses("claude"),
  "embeddings, native": embeddings("embedding"),
  "embeddings, translated": embeddings("embedding-google"),
  "count_tokens, native": { ...messages("claude"), path: "/v1/messages/count_tokens" },
  videos: { path: "/v1/videos", body: { model: "film", prompt: "ORIGINAL", seconds: "4" } },
  containers: { path: "/v1/containers", body: { name: "ORIGINAL" } },
};

const call = (id: string, { path, body }: Endpoint, key?: string) =>
  gateway.call(path, { body, headers: { "x-portico-call-id": id }, ...(key === undefined ? {} : { key }) });

/** What the providers were asked, without what differs each time. */
function asked(from: number): string[] {
  return resources.simulator
    .received()
    .slice(from)
    .map(({ method, path, body }) =>
      `${method} ${path} ${JSON.stringify(body)}`.replace(/portico-[\w-]+/g, "ID"),
    );
}

const told = (id: string) =>
  readFileSync(failures, "utf8")
    .split("\n")
    .filter((line) => line.includes(`"${id}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.each(Object.entries(endpoints))("Hooks of %s", (name, endpoint) => {
  const id = (word: string) => `${word}-${name.replaceAll(/\W+/g, "-")}`;

  it("count the same in place, returned and both", async () => {
    const seen: string[][] = [];
    for (const mode of ["in-place", "returned", "in-place-returned"]) {
      const before = resources.simulator.received().length;
      const response = await call(id(mode), endpoint);
      expect(response.status, await response.clone().text()).toBe(200);
      expect(await response.json()).toMatchObject({ hooked: "yes" });
      seen.push(asked(before));
    }
    expect(seen[0]!.join()).toContain("CHANGED");
    expect(seen[0]!.join()).not.toContain("ORIGINAL");
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  it.each(["text", "list", "false"])("get 500 for a result that is no object (%s)", async (junk) => {
    const before = resources.simulator.received().length;
    const called = `junk-before-${junk}-${id("")}`;
    expect((await call(called, endpoint)).status).toBe(500);
    expect(asked(before)).toEqual([]);
    expect(told(called)).toHaveLength(1);
    expect((await call(id(`junk-after-${junk}`), endpoint)).status).toBe(500);
  });

  it.each([
    ["refuse-before", 403, "permission_error"],
    ["refuse-beside", 403, "permission_error"],
    ["refuse-late", 429, "rate_limit_error"],
  ])("refuse with the type of the status, and the failure is told once (%s)", async (word, status, type) => {
    const response = await call(id(word), endpoint);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { type, code: String(status) } });
    const message = word === "refuse-before" ? "no" : "not this one";
    expect(told(id(word))).toEqual([{ id: id(word), message, type, param: null, code: String(status) }]);
  });

  it("tell of JSON that is none, and of limits, once", async () => {
    const response = await fetch(gateway.url + endpoint.path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gateway.masterKey}`,
        "content-type": "application/json",
        "x-portico-call-id": id("invalid"),
      },
      body: "{",
    });
    expect(response.status).toBe(400);
    expect(told(id("invalid"))).toMatchObject([{ code: "400", type: "invalid_request_error" }]);
    await call(id("filling"), endpoint, "sk-slow-0123456789");
    expect((await call(id("limited"), endpoint, "sk-slow-0123456789")).status).toBe(429);
    expect(told(id("limited"))).toMatchObject([{ code: "429", type: "rate_limit_error" }]);
  });
});

describe("A refusal beside the call", () => {
  const post = (id: string, path: string, body: object) => call(id, { path, body: { ...body } });

  it("removes a video, and what it cost counts in the budget", async () => {
    const film = endpoints.videos!;
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++)
      statuses.push((await call(`refuse-late-film-${at}`, film, "sk-budget-0123456789")).status);
    // The third passes the budget, by this one call.
    expect(statuses).toEqual([429, 429, 429, 402]);
    const list = (await (await gateway.call("/v1/videos")).json()) as { data: { prompt?: string }[] };
    expect(list.data.filter(({ prompt }) => prompt === "ORIGINAL")).toEqual([]);
  });

  it("removes a container and a conversation", async () => {
    expect((await post("refuse-late-container", "/v1/containers", { name: "refused" })).status).toBe(429);
    const list = await (await gateway.call("/v1/containers")).text();
    expect(list).not.toContain('"refused"');
    const refused = await post("refuse-late-conversation", "/v1/conversations", { metadata: { a: "b" } });
    expect(refused.status).toBe(429);
  });

  it("cuts a download", async () => {
    const made = await gateway.call("/v1/videos", { body: { model: "film", prompt: "long", seconds: "4" } });
    const { id } = (await made.json()) as { id: string };
    await expect
      .poll(
        async () => ((await (await gateway.call(`/v1/videos/${id}`)).json()) as { status: string }).status,
      )
      .toBe("completed");
    const response = await gateway.call(`/v1/videos/${id}/content`, {
      headers: { "x-portico-call-id": "refuse-late-download" },
    });
    expect(response.status).toBe(429);
    expect(told("refuse-late-download")).toHaveLength(1);
  });
});

it("A stream that a hook breaks ends in the error event, and is told of as a failure once", async () => {
  const response = await call("break-stream-chat", {
    path: "/v1/chat/completions",
    body: { model: "gpt-4o", stream: true, messages: [user] },
  });
  const text = await response.text();
  expect(text).toContain('"error"');
  expect(text).not.toContain("[DONE]");
  await expect.poll(() => told("break-stream-chat").length).toBe(1);
  await expect
    .poll(async () =>
      (await (await gateway.call("/spend/logs?request_id=break-stream-chat")).text()).includes("failure"),
    )
    .toBe(true);
});
