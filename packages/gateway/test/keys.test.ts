import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_STORE } from "../src/contract/errors.ts";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";

const config = `
model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}
  - model_name: claude
    litellm_params: {model: anthropic/claude, api_key: sk-provider-secret}
keys:
  - {key: sk-from-the-file-1, user_id: filed, models: [gpt-*]}
  - {key: sk-expired-in-file, expires: "2020-01-01"}
`;

describe("gateway keys", () => {
  let gateway: TestGateway;
  // One for each attempt at a test: names that are taken would fail the next.
  beforeEach(async () => {
    gateway = await startTestGateway({ config });
  });
  afterEach(() => gateway.close());

  async function post(path: string, body: unknown, init: CallInit = {}): Promise<Record<string, unknown>> {
    const response = await gateway.call(path, { ...init, body });
    return { status: response.status, ...((await response.json()) as object) };
  }

  function modelsStatus(key: string): Promise<number> {
    return gateway.call("/v1/models", { key }).then((response) => response.status);
  }

  it("are not given out without a restriction that was asked for", async () => {
    for (const [name, value] of Object.entries({
      budget_limits: [{ max_budget: 1, budget_duration: "1d" }],
      permissions: { pii: false },
      object_permission: { mcp_servers: ["a"] },
    })) {
      const { status, error } = await post("/key/generate", { [name]: value });
      expect([status, error]).toEqual([400, expect.objectContaining({ param: name })]);
    }
    // What LiteLLM's clients send without meaning anything by it.
    const empty = { model_max_budget: {}, permissions: {}, aliases: {}, guardrails: [], budget_id: null };
    const rest = { object_permission: { mcp_servers: [], vector_stores: null }, key_type: "default" };
    const made = await post("/key/generate", { ...empty, ...rest, soft_budget: 1, config: {} });
    expect(made.status).toBe(200);
    expect((await post("/key/update", { key: made.key, tag_tpm_limit: { m: 1 } })).status).toBe(400);
  });

  it("are shown where they stand in the file, and changed there alone", async () => {
    const info = async (path: string, key?: string) => {
      const answer = await gateway.call(path, key === undefined ? {} : { key });
      return { status: answer.status, text: await answer.text() };
    };
    const own = await info("/key/info", "sk-from-the-file-1");
    expect(JSON.parse(own.text)).toMatchObject({
      info: { user_id: "filed", models: ["gpt-*"], created_by: "configuration", created_at: null, spend: 0 },
    });
    const { key: hash } = JSON.parse(own.text) as { key: string };
    for (const named of ["sk-from-the-file-1", hash])
      expect(await info(`/key/info?key=${named}`)).toEqual(own);
    expect(JSON.parse((await info("/key/info")).text)).toMatchObject({ info: { user_role: "proxy_admin" } });
    expect(own.text + (await info("/key/info")).text).not.toMatch(
      new RegExp(`sk-from-the-file-1|${gateway.masterKey}`),
    );
    const { key: other } = await post("/key/generate", { user_id: "else" });
    expect((await info(`/key/info?key=${hash}`, other as string)).status).toBe(404);
    const sentence = "This key stands in the configuration file; change it there";
    const refused = { status: 404, error: expect.objectContaining({ message: sentence }) };
    for (const key of [hash, "sk-from-the-file-1", gateway.masterKey]) {
      for (const path of ["/key/update", "/key/block", "/key/unblock", "/key/regenerate"])
        expect([path, await post(path, { key })]).toEqual([path, expect.objectContaining(refused)]);
      expect(await post("/key/delete", { keys: [key] })).toMatchObject(refused);
      expect(await post(`/key/${key}/reset_spend`, { reset_to: 0 })).toMatchObject(refused);
      expect(await post(`/key/${key}/regenerate`, {})).toMatchObject(refused);
    }
    expect(await modelsStatus("sk-from-the-file-1")).toBe(200);
  });

  it("are not made twice, whatever holds the first: the store, the file, or the master key", async () => {
    const { key } = await post("/key/generate", { key: "sk-chosen-once" });
    const { key: other } = await post("/key/generate", {});
    for (const taken of [key, "sk-from-the-file-1", gateway.masterKey]) {
      const refused = { status: 400, error: expect.objectContaining({ param: "key" }) };
      expect(await post("/key/generate", { key: taken })).toMatchObject(refused);
      expect(await post("/key/service-account/generate", { key: taken, team_id: "t" })).toMatchObject({
        status: 400,
      });
      expect(await post("/key/regenerate", { key: other, new_key: taken })).toMatchObject(refused);
    }
    expect(await modelsStatus(other as string)).toBe(200);
  });

  it("are not made or changed by a request with a misspelt field", async () => {
    const typo = { modles: ["gpt-4o"], max_budgets: 1, rpm_limits: 1 };
    const message = "modles is not a field of keys; did you mean models?";
    const refused = { status: 400, error: expect.objectContaining({ message, param: "modles" }) };
    expect(await post("/key/generate", typo)).toMatchObject(refused);
    const { key } = await post("/key/generate", {});
    for (const path of ["/key/update", "/key/regenerate"])
      expect(await post(path, { key, ...typo })).toMatchObject(refused);
  });

  it("may have tags, beside or within metadata", async () => {
    const made = await post("/key/generate", { tags: ["free"], metadata: { team: "a" } });
    expect(made.metadata).toEqual({ team: "a", tags: ["free"] });
    const changed = await post("/key/update", { key: made.key, tags: ["paid"] });
    expect(changed.metadata).toEqual({ team: "a", tags: ["paid"] });
    expect((await post("/key/update", { key: made.key, max_budget: 1 })).metadata).toEqual(changed.metadata);
  });

  it("are refused with 401 when missing, unknown, malformed or expired, in both families' words", async () => {
    for (const headers of [
      {},
      { authorization: "Bearer sk-nobody-knows-this" },
      { authorization: "Basic abc" },
      { authorization: "Bearer " },
      { authorization: "Bearer sk-expired-in-file" },
      { "x-api-key": `sk-${"x".repeat(1000)}` },
    ]) {
      const openai = await fetch(`${gateway.url}/v1/models`, { headers: headers as Record<string, string> });
      expect(openai.status).toBe(401);
      expect(await openai.json()).toMatchObject({ error: { type: "authentication_error", code: "401" } });
    }
  });

  it("are taken from the headers of every dialect", async () => {
    for (const name of [
      "x-api-key",
      "api-key",
      "x-goog-api-key",
      "ocp-apim-subscription-key",
      "x-litellm-api-key",
    ]) {
      const response = await fetch(`${gateway.url}/v1/models`, { headers: { [name]: gateway.masterKey } });
      expect(response.status).toBe(200);
    }
  });

  it("in the gateway's own header may stand behind Bearer, and come before Authorization", async () => {
    for (const key of [gateway.masterKey, `Bearer ${gateway.masterKey}`]) {
      const headers = { "x-litellm-api-key": key, authorization: "Bearer token-for-somebody-else" };
      expect((await fetch(`${gateway.url}/v1/models`, { headers })).status).toBe(200);
    }
  });

  it("from the file see only the models they may call", async () => {
    const response = await gateway.call("/v1/models", { key: "sk-from-the-file-1" });
    const { data } = (await response.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(["gpt-4o"]);
    expect((await gateway.call("/v1/models/claude", { key: "sk-from-the-file-1" })).status).toBe(404);
  });

  it("are managed by administrators only", async () => {
    const refused = await post("/key/generate", {}, { key: "sk-from-the-file-1" });
    expect(refused).toMatchObject({ status: 403, error: { type: "permission_error" } });
  });

  it("live from generation through update, block and regeneration to deletion", async () => {
    await post("/team/new", { team_id: "t1" });
    const made = await post("/key/generate", {
      key_alias: "life",
      user_id: "u1",
      team_id: "t1",
      models: ["gpt-4o"],
      max_budget: 5,
      rpm_limit: 10,
      metadata: { agents: ["a"] },
      duration: "1h",
    });
    expect(made).toMatchObject({
      status: 200,
      key_alias: "life",
      models: ["gpt-4o"],
      max_budget: 5,
      metadata: { agents: ["a"] },
      spend: 0,
    });
    const key = made.key as string;
    expect(key).toMatch(/^sk-/);
    expect(await modelsStatus(key)).toBe(200);

    const info = (await (await gateway.call(`/key/info?key=${key}`)).json()) as Record<string, unknown>;
    expect(info.info).toMatchObject({ key_alias: "life", spend: 0, user_id: "u1" });
    expect(JSON.stringify(info)).not.toContain(key);
    expect((await gateway.call("/key/info", { key })).status).toBe(200);

    expect(await post("/key/update", { key, rpm_limit: null, max_budget: 7 })).toMatchObject({
      status: 200,
      rpm_limit: null,
      max_budget: 7,
      user_id: "u1",
    });
    expect(await post("/key/block", { key })).toMatchObject({ status: 200, blocked: true });
    expect(await modelsStatus(key)).toBe(403);
    await post("/key/unblock", { key });
    expect(await modelsStatus(key)).toBe(200);

    const renewed = await post("/key/regenerate", { key });
    expect(await modelsStatus(key)).toBe(401);
    expect(await modelsStatus(renewed.key as string)).toBe(200);

    const listed = (await (
      await gateway.call("/key/list?return_full_object=true&user_id=u1")
    ).json()) as object;
    expect(listed).toMatchObject({ total_count: 1, keys: [{ key_alias: "life", max_budget: 7 }] });
    expect(await post("/key/delete", { key_aliases: ["life"] })).toMatchObject({ status: 200 });
    expect(await modelsStatus(renewed.key as string)).toBe(401);
  });

  it("are deleted by a body as LiteLLM's client sends it", async () => {
    const { key } = await post("/key/generate", {});
    const deleted = await post("/key/delete", { keys: [key], key_aliases: null });
    expect(deleted).toMatchObject({ status: 200, deleted_keys: [expect.any(String)] });
  });

  it("are accepted with their old text too for the time of grace that a renewal names", async () => {
    const { key } = await post("/key/generate", { key_alias: "graceful" });
    const renewed = await post("/key/regenerate", {
      key,
      grace_period: "1h",
      new_key: "sk-chosen-renewal-1",
    });
    expect(renewed).toMatchObject({ status: 200, key: "sk-chosen-renewal-1", key_alias: "graceful" });
    expect(await modelsStatus(key as string)).toBe(200);
    expect(await modelsStatus("sk-chosen-renewal-1")).toBe(200);
    // Both texts are one key.
    await post("/key/block", { key: renewed.key });
    expect(await modelsStatus(key as string)).toBe(403);
    await post("/key/delete", { keys: [renewed.key] });
    expect(await modelsStatus(key as string)).toBe(401);
    for (const grace_period of ["soon", "0s", "-1h", 5])
      expect((await post("/key/regenerate", { key: renewed.key, grace_period })).status).toBe(400);
  });

  it("have names of their own for models, whose permission the named model needs", async () => {
    const { key } = await post("/key/generate", {
      aliases: { quick: "gpt-4o", other: "claude" },
      models: ["gpt-4o"],
    });
    const listed = await gateway.call("/v1/models", { key: key as string });
    const { data } = (await listed.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id).sort()).toEqual(["gpt-4o", "quick"]);
    const ask = (model: string) =>
      gateway.call("/v1/chat/completions", {
        key: key as string,
        body: { model, messages: [{ role: "user", content: "hi" }], mock_response: "hello" },
      });
    expect((await ask("quick")).status).toBe(200);
    expect((await ask("other")).status).toBe(403);
  });

  it("ask only for the paths, from the addresses and with the fields that they were given", async () => {
    const ask = async (fields: object, path: string, body?: object) => {
      const { key } = await post("/key/generate", fields);
      return (await gateway.call(path, { key: key as string, ...(body && { body }) })).status;
    };
    expect(await ask({ allowed_routes: ["/v1/chat/*"] }, "/v1/models")).toBe(403);
    expect(await ask({ allowed_routes: ["/v1/mod*"] }, "/v1/models")).toBe(200);
    expect(await ask({ allowed_routes: ["llm_api_routes"] }, "/v1/models")).toBe(200);
    expect(await ask({ allowed_routes: ["llm_api_routes"] }, "/key/info")).toBe(403);
    expect(await ask({ key_type: "management" }, "/v1/models")).toBe(403);
    expect(await ask({ key_type: "management" }, "/key/info")).toBe(200);
    expect(await ask({ key_type: "llm_api" }, "/key/info")).toBe(403);
    expect(await ask({ key_type: "read_only" }, "/key/info")).toBe(200);
    expect(await ask({ allowed_ips: ["10.0.0.0/8"] }, "/v1/models")).toBe(403);
    expect(await ask({ allowed_ips: ["127.0.0.0/8", "::1"] }, "/v1/models")).toBe(200);
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "hi" }], mock_response: "hello" };
    const enforced = { enforced_params: ["user", "metadata.run"] };
    expect(await ask(enforced, "/v1/chat/completions", body)).toBe(400);
    expect(await ask(enforced, "/v1/chat/completions", { ...body, user: "u", metadata: { run: "1" } })).toBe(
      200,
    );
  });

  it("say of the response cache only what they may", async () => {
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "hi" }], mock_response: "hello" };
    const { key } = await post("/key/generate", { allowed_cache_controls: ["ttl", "no-store"] });
    const ask = async (fields: object): Promise<readonly unknown[]> => {
      const answer = await gateway.call("/v1/chat/completions", {
        key: key as string,
        body: { ...body, ...fields },
      });
      return [answer.status, /cache control (\S+):/.exec(await answer.text())?.[1]];
    };
    expect(await ask({})).toEqual([200, undefined]);
    expect(await ask({ cache: { ttl: 5, "no-store": true } })).toEqual([200, undefined]);
    expect(await ask({ cache: { ttl: 5, "no-cache": true } })).toEqual([403, "no-cache"]);
    expect(await ask({ cache: { namespace: "n" } })).toEqual([403, "namespace"]);
    expect(await ask({ caching: false })).toEqual([403, "no-cache"]);
    expect(await ask({ caching: true })).toEqual([200, undefined]);
    const info = (await (await gateway.call(`/key/info?key=${key}`)).json()) as { info: object };
    expect(info.info).toMatchObject({ allowed_cache_controls: ["ttl", "no-store"] });
    await post("/key/update", { key, allowed_cache_controls: [] });
    expect(await ask({ cache: { namespace: "n" } })).toEqual([200, undefined]);
  });

  it("refuse limits that are negative, beyond every number or no limit at all", async () => {
    for (const [name, value] of [
      ["soft_budget", -1],
      ["max_budget", -0.5],
      ["max_budget", 1e300],
      ["rpm_limit", -1],
      ["rpm_limit", 1e300],
      ["tpm_limit", 1.5],
      ["temp_budget_increase", -5],
      ["temp_budget_increase", 5],
      ["duration", "999999999y"],
      ["allowed_ips", ["10.0.0.0/33"]],
      ["allowed_ips", ["somewhere"]],
      ["key_alias", "a\u0000b"],
      ["aliases", { a: 1 }],
      ["key_type", "magic"],
    ] as const)
      expect([name, (await post("/key/generate", { [name]: value })).status]).toEqual([name, 400]);
  });

  it("refuse fields of a wrong type, a taken alias and unknown keys, naming what is wrong", async () => {
    expect(await post("/key/generate", { rpm_limit: "many" })).toMatchObject({
      status: 400,
      error: { param: "rpm_limit" },
    });
    expect(await post("/key/generate", { duration: "soon" })).toMatchObject({ status: 400 });
    await post("/key/generate", { key_alias: "taken" });
    expect(await post("/key/generate", { key_alias: "taken" })).toMatchObject({ status: 400 });
    expect(await post("/key/update", { key: "sk-unknown-key-1" })).toMatchObject({ status: 404 });
    expect((await gateway.call("/key/info?key=sk-unknown-key-1")).status).toBe(404);
  });

  it("appear nowhere in the log, nor do the providers' keys", async () => {
    const made = await post("/key/generate", { key: "sk-chosen-by-the-administrator" });
    await gateway.call("/v1/models?key=sk-chosen-by-the-administrator", { key: made.key as string });
    await gateway.call("/nowhere", { key: "sk-somebody-tries-this" });
    const info = await (await gateway.call("/v1/model/info")).text();
    expect(info).not.toContain("sk-provider-secret");
    expect(gateway.log()).not.toMatch(/sk-chosen|sk-somebody|sk-provider|sk-test-master/);
  });
});

describe("a gateway without a store", () => {
  it("knows the keys of its file and says that there is no store for others", async () => {
    const gateway = await startTestGateway({ config, environment: { DATABASE_URL: "none" } });
    expect((await gateway.call("/v1/models", { key: "sk-from-the-file-1" })).status).toBe(200);
    expect((await gateway.call("/v1/models", { key: "sk-unknown-to-all" })).status).toBe(401);
    const made = await gateway.call("/key/generate", { body: {} });
    expect(made.status).toBe(500);
    expect(await made.text()).toContain(NO_STORE);
    const ready = await fetch(`${gateway.url}/health/readiness`);
    expect(await ready.json()).toMatchObject({ status: "healthy", db: "Not connected" });
    await gateway.close();
  });
});
