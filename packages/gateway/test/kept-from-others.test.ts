import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SealedText } from "../src/platform/store/sealed-text.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const OTHER = "sk-other-0123456789";
const CHEAP = "sk-cheap-0123456789";
const secrets = ["S1-key", "S2-header", "S3-mcp", "S4-bearer", "S5-password", "S6-user", "S7-card"].concat([
  "S10-query",
  "S11-interface",
  "S12-icon",
  "S13-cookie",
  "S14-value",
  "sk-S15value",
  "AIzaS16-google-value",
]);

const agent = {
  agent_name: "team/helper ",
  agent_card_params: {
    name: "helper",
    url: "http://u:S7-card@agents.example/a",
    iconUrl: "//x:S12-icon@agents.example/i",
    supportedInterfaces: [{ url: "http://agents.example/b?access_token=S11-interface&x=1" }],
  },
  gateway_params: {
    api_key: "S1-key",
    headers: { "x-any": "S2-header" },
    tools: [{ type: "mcp", authorization: "S3-mcp", headers: { Authorization: "S4-bearer" } }],
    nested: {
      list: [{ password: "S5-password", cookie: "S13-cookie" }],
      greeting: "Bearer S14-value",
      k: "sk-S15value",
      g: "AIzaS16-google-value",
    },
    tools_address: "http://agents.example/mcp?api_key=S10-query",
    api_base: "http://u:S6-user@agents.example/a",
  },
};

describe("what is kept from others", () => {
  let folder: string;
  let gateway: TestGateway;
  let id: string;
  const before = { ...process.env };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-kept-"));
    mkdirSync(join(folder, "data"), { mode: 0o755 });
    chmodSync(join(folder, "data"), 0o755);
    gateway = await startTestGateway({
      dataDirectory: join(folder, "data"),
      config: `
model_list:
  - {model_name: cheap, gateway_params: {model: openai/gpt-4o-mini, mock_response: a cheap answer}, model_info: {id: dep-cheap}}
  - {model_name: premium, gateway_params: {model: openai/gpt-4o, mock_response: a premium answer, region_name: us}, model_info: {id: dep-premium}}
keys:
  - {key: ${OTHER}, team_id: one}
  - {key: ${CHEAP}, team_id: one, models: [cheap]}
`,
    });
    const made = await gateway.call("/v1/agents", { body: agent });
    expect(made.status).toBe(200);
    ({ agent_id: id } = (await made.json()) as { agent_id: string });
  });
  afterAll(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
    process.env = before;
  });

  it("shows an agent's credentials to nobody, in no answer, at no depth", async () => {
    const answers = [
      await gateway.call(`/v1/agents/${id}`, { key: OTHER }),
      await gateway.call("/v1/agents"),
      await gateway.call(`/v1/agents/${id}`, { method: "PATCH", body: { agent_name: agent.agent_name } }),
      await gateway.call(`/v1/agents/${id}/make_public`, { method: "POST" }),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      expect(answer.status).toBe(200);
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text).toContain("********@agents.example");
    }
  });

  it("keeps the credentials that come back masked", async () => {
    const shown = (await (await gateway.call(`/v1/agents/${id}`)).json()) as typeof agent;
    const put = await gateway.call(`/v1/agents/${id}`, { method: "PUT", body: shown });
    expect(put.status).toBe(200);
    const other = { ...shown.gateway_params, api_key: "S8-new" };
    const patched = await gateway.call(`/v1/agents/${id}`, {
      method: "PATCH",
      body: { gateway_params: other },
    });
    expect(await patched.text()).not.toContain("S8-new");
  });

  it("has no credentials in clear text on the disk", () => {
    const data = join(folder, "data");
    for (const name of readdirSync(data).filter((one) => one.startsWith("portico.sqlite"))) {
      const bytes = readFileSync(join(data, name));
      for (const secret of [...secrets, "S8-new"])
        expect([name, bytes.includes(secret)]).toEqual([name, false]);
    }
  });

  it("closes everything in the data directory to other users, also where it was open", async () => {
    const data = join(folder, "data");
    const form = new FormData();
    form.append("purpose", "user_data");
    form.append("target_model_names", "cheap");
    form.append("file", new Blob(["kept here"]), "a.txt");
    expect((await gateway.call("/v1/files", { body: form })).status).toBe(200);
    const kept = ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })];
    expect(kept.length).toBeGreaterThan(5);
    const rights = kept.map((name) => [name, statSync(join(data, name)).mode & 0o077]);
    expect(rights).toEqual(kept.map((name) => [name, 0]));
  });

  it("finds an agent by a name with a slash", async () => {
    const answer = await gateway.call(
      `/a2a/${encodeURIComponent(agent.agent_name)}/.well-known/agent-card.json`,
    );
    expect(answer.status).toBe(200);
  });

  it("shows a key the deployments that it may use, and no others", async () => {
    for (const path of ["/health", "/v1/model/info"]) {
      expect(await (await gateway.call(path)).text()).toContain("dep-premium");
      const text = await (await gateway.call(path, { key: CHEAP })).text();
      expect(text).toContain("dep-cheap");
      expect(text).not.toContain("premium");
    }
  });

  it("repeats an answer only for keys that could have asked for it", async () => {
    const headers = { "idempotency-key": "one" };
    const body = { model: "premium", messages: [{ role: "user", content: "hi" }] };
    expect((await gateway.call("/v1/chat/completions", { key: OTHER, body, headers })).status).toBe(200);
    const repeated = await gateway.call("/v1/chat/completions", { key: OTHER, body, headers });
    expect(repeated.headers.get("x-portico-idempotent-replay")).toBe("true");
    expect([...repeated.headers.keys()].filter((name) => name.includes("used"))).toEqual([]);
    expect((await gateway.call("/v1/chat/completions", { key: CHEAP, body, headers })).status).toBe(403);
  });
});

it("lists no agents without a store, and answers nothing else", async () => {
  const before = { ...process.env };
  const gateway = await startTestGateway({
    config: `general_settings: {store: none, master_key: "sk-test-master-key-0123456789"}`,
  });
  const list = await gateway.call("/v1/agents");
  expect([list.status, await list.json()]).toEqual([200, []]);
  expect((await gateway.call("/v1/agents/x")).status).toBe(500);
  await gateway.close();
  process.env = before;
});

it("opens what it sealed, takes clear text as it is, and opens nothing of another key", () => {
  const sealed = new SealedText("one").seal("a secret");
  expect(sealed).not.toContain("a secret");
  expect(new SealedText("one").open(sealed)).toBe("a secret");
  expect(new SealedText("one").open("clear")).toBe("clear");
  expect(new SealedText("two").open(sealed)).toBeUndefined();
});
