import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_STORE } from "../src/contract/errors.ts";
import { weatherCard as card } from "./support/agent-card.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const config = `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "http://127.0.0.1:9/v1"}}
keys:
  - {key: sk-user-0123456789, user_id: ann, metadata: {agents: [mine]}, team_metadata: {agents: [ours]}}
  - {key: sk-team-0123456789, user_id: bob, team_metadata: {agents: [ours]}}
  - {key: sk-none-0123456789}
`;

function definition(agent_name: string): object {
  return { agent_name, agent_card_params: card, gateway_params: { make_public: false } };
}

type Answer = { status: number; body: Record<string, unknown> };

async function ask(
  gateway: TestGateway,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<Answer> {
  const init = { method, ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) };
  const response = await gateway.call(path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("Agents", () => {
  let gateway: TestGateway;
  // One for each attempt at a test: names that are taken would fail the next.
  beforeEach(async () => {
    gateway = await startTestGateway({ config });
  });
  afterEach(() => gateway.close());

  async function create(name: string, key?: string): Promise<string> {
    const { status, body } = await ask(gateway, "POST", "/v1/agents", definition(name), key);
    expect(status).toBe(200);
    return body.agent_id as string;
  }

  it("Agents rule 1: lists all to admins, else by key metadata, else by team metadata, else none", async () => {
    for (const name of ["mine", "ours", "theirs"]) await create(name);
    const names = async (key?: string): Promise<unknown[]> => {
      const { body } = await ask(gateway, "GET", "/v1/agents", undefined, key);
      return (body as unknown as { agent_name: string; agent_id: string }[]).map((agent) => agent.agent_name);
    };
    expect(await names()).toEqual(expect.arrayContaining(["mine", "ours", "theirs"]));
    expect(await names("sk-user-0123456789")).toEqual(["mine"]);
    expect(await names("sk-team-0123456789")).toEqual(["ours"]);
    expect(await names("sk-none-0123456789")).toEqual([]);
  });

  it("Agents rule 2: stores a definition, bare or under `agent`, with who made it", async () => {
    const bare = await ask(gateway, "POST", "/v1/agents", definition("bare"), "sk-user-0123456789");
    expect(bare.body).toMatchObject({
      agent_name: "bare",
      agent_card_params: card,
      created_by: "ann",
      updated_by: "ann",
    });
    const nested = await ask(
      gateway,
      "POST",
      "/v1/agents",
      { agent: definition("nested") },
      "sk-none-0123456789",
    );
    expect(nested.body).toMatchObject({ agent_name: "nested", created_by: "unknown" });
  });

  it("Agents rule 2: of eight creates of one name at the same moment one wins, the others get 400", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(gateway, "POST", "/v1/agents", definition("race"))),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      200, 400, 400, 400, 400, 400, 400, 400,
    ]);
    expect(answers.find((answer) => answer.status === 400)?.body.detail).toBe(
      "Agent with name race already exists",
    );
  });

  it("Agents rule 3: gets an agent by id, 404 with the id in the detail", async () => {
    const id = await create("found");
    expect((await ask(gateway, "GET", `/v1/agents/${id}`)).body).toMatchObject({
      agent_id: id,
      agent_name: "found",
    });
    const missing = await ask(gateway, "GET", "/v1/agents/no-such");
    expect(missing).toMatchObject({ status: 404, body: { detail: "Agent with ID no-such not found" } });
  });

  it("Agents rule 4: updates an agent; the old name is free again, a taken one is 400", async () => {
    const id = await create("before");
    const other = await create("other");
    const renamed = await ask(gateway, "PUT", `/v1/agents/${id}`, definition("after"));
    expect(renamed).toMatchObject({ status: 200, body: { agent_id: id, agent_name: "after" } });
    await create("before");
    expect((await ask(gateway, "PUT", `/v1/agents/${other}`, definition("after"))).status).toBe(400);
    expect((await ask(gateway, "PUT", "/v1/agents/no-such", definition("x"))).status).toBe(404);
  });

  it("changes only what a PATCH names", async () => {
    const id = await create("patched");
    const patch = { gateway_params: { make_public: true } };
    const { body } = await ask(gateway, "PATCH", `/v1/agents/${id}`, patch, "sk-user-0123456789");
    expect(body).toMatchObject({
      agent_name: "patched",
      agent_card_params: card,
      updated_by: "ann",
      ...patch,
    });
  });

  it("never shows credentials", async () => {
    const secret = {
      api_key: "remote-secret",
      headers: { "X-Key": "other-secret" },
      auth: { type: "basic", password: "pw-secret" },
    };
    const body = { agent_name: "discreet", gateway_params: secret };
    const created = await ask(gateway, "POST", "/v1/agents", body);
    expect(JSON.stringify(created.body)).not.toContain("secret");
    const log = gateway.log();
    expect(log).not.toContain("remote-secret");
  });

  it("sends credentials nowhere but to the address for which they were given", async () => {
    const remote = { api_base: "https://agent.example/", api_key: "remote-secret" };
    const named = { agent_name: "kept", agent_card_params: { name: "Kept" } };
    const { body } = await ask(gateway, "POST", "/v1/agents", { ...named, gateway_params: remote });
    const path = `/v1/agents/${body.agent_id}`;
    const shown = body.gateway_params as Record<string, unknown>;
    const change = async (method: string, changed: object, key?: string): Promise<number> =>
      (await ask(gateway, method, path, { ...named, ...changed }, key)).status;
    const user = "sk-team-0123456789";
    const elsewhere = { ...shown, api_base: "https://thief.example/" };
    expect(await change("PUT", { gateway_params: elsewhere }, user)).toBe(403);
    const card = { name: "Kept", url: "https://thief.example/" };
    const noBase = { api_key: shown.api_key };
    expect(await change("PUT", { agent_card_params: card, gateway_params: noBase }, user)).toBe(403);
    expect(await change("PATCH", { agent_card_params: { name: "Better" } }, user)).toBe(200);
    expect(await change("PUT", { gateway_params: { ...elsewhere, api_key: "own" } }, user)).toBe(200);
    expect(await change("PUT", { gateway_params: shown })).toBe(200);
  });

  it("may be left to administrators, as with LiteLLM", async () => {
    gateway.writeConfig(
      `${config}general_settings: {master_key: ${gateway.masterKey}, agent_management: administrators}\n`,
    );
    const attempt = (method: string, path: string, key?: string): Promise<Answer> =>
      ask(gateway, method, path, method === "DELETE" ? undefined : definition("managed"), key);
    const user = "sk-user-0123456789";
    await expect.poll(async () => (await attempt("DELETE", "/v1/agents/none", user)).status).toBe(403);
    expect((await attempt("POST", "/v1/agents", user)).status).toBe(403);
    const { status, body } = await attempt("POST", "/v1/agents");
    expect(status).toBe(200);
    const path = `/v1/agents/${body.agent_id}`;
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect((await attempt(method, path, user)).status).toBe(403);
    expect((await attempt("DELETE", path)).status).toBe(200);
  });

  it("Agents rule 5: deletes an agent from store and memory", async () => {
    const id = await create("gone");
    const deleted = await ask(gateway, "DELETE", `/v1/agents/${id}`);
    expect(deleted).toEqual({ status: 200, body: { message: `Agent ${id} deleted successfully` } });
    expect((await ask(gateway, "GET", `/v1/agents/${id}`)).status).toBe(404);
    expect((await ask(gateway, "DELETE", `/v1/agents/${id}`)).status).toBe(404);
  });

  it.each([
    ["agent_name", { agent_card_params: card }],
    ["agent_name", { agent_name: 7 }],
    ["agent_card_params", { agent_name: "bad", agent_card_params: [] }],
    [
      "agent_card_params.skills.0.tags",
      { agent_name: "bad", agent_card_params: { skills: [{ tags: "x" }] } },
    ],
    [
      "agent_card_params.capabilities.streaming",
      { agent_name: "bad", agent_card_params: { capabilities: { streaming: "yes" } } },
    ],
    ["agent_card_params.url", { agent_name: "bad", agent_card_params: { url: "not an address" } }],
    ["gateway_params.make_public", { agent_name: "bad", gateway_params: { make_public: 1 } }],
  ])("refuses a wrong %s by name", async (param, body) => {
    const answer = await ask(gateway, "POST", "/v1/agents", body);
    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  });
});

it("Agents rules 2 to 5: without a persistent store every operation is 500 with a text as detail", async () => {
  const gateway = await startTestGateway({ config, environment: { DATABASE_URL: "none" } });
  try {
    for (const [method, path, body] of [
      ["POST", "/v1/agents", definition("x")],
      ["GET", "/v1/agents/x", undefined],
      ["PUT", "/v1/agents/x", definition("x")],
      ["DELETE", "/v1/agents/x", undefined],
    ] as const) {
      const answer = await ask(gateway, method, path, body);
      expect(answer).toMatchObject({
        status: 500,
        body: { detail: NO_STORE },
      });
    }
  } finally {
    await gateway.close();
  }
});
