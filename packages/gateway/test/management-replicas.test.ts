import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { weatherCard } from "./support/agent-card.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { until } from "./support/until.ts";

const config = `
model_list:
  - {model_name: gpt-4o, litellm_params: {model: openai/gpt-4o, mock_response: hi}}
`;

describe.skipIf(!hasPostgres)("What is managed at one replica", () => {
  let postgres: TestDatabases;
  let first: TestGateway;
  let second: TestGateway;
  beforeAll(async () => {
    postgres = await openDatabases();
  });
  afterAll(() => postgres?.stop());
  // Of each attempt at a test: names that are taken would fail the next.
  beforeEach(async () => {
    const environment = { DATABASE_URL: await postgres.createDatabase() };
    first = await startTestGateway({ config, environment });
    second = await startTestGateway({ config, environment });
  });
  afterEach(() => Promise.all([first.close(), second.close()]));

  async function ask(gateway: TestGateway, method: string, path: string, body?: object): Promise<unknown> {
    const answer = await gateway.call(path, { method, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    expect([path, answer.status, text]).toEqual([path, 200, text]);
    return JSON.parse(text);
  }

  it("of keys is in force at the other", async () => {
    const { key } = (await ask(first, "POST", "/key/generate", {})) as { key: string };
    const status = async () => (await second.call("/v1/models", { key })).status;
    expect(await status()).toBe(200);
    await ask(first, "POST", "/key/block", { key });
    await until(async () => (await status()) === 403);
  });

  it("of teams is in force at the other, and lists grow at both at the same moment", async () => {
    await ask(first, "POST", "/team/new", { team_id: "t" });
    const { key } = (await ask(first, "POST", "/key/generate", { team_id: "t" })) as { key: string };
    const status = async () => (await second.call("/v1/models", { key })).status;
    expect(await status()).toBe(200);
    await ask(first, "POST", "/team/block", { team_id: "t" });
    await until(async () => (await status()) === 403);
    const names = Array.from({ length: 8 }, (_, index) => `m${index}`);
    const add = (name: string, index: number) =>
      ask([first, second][index % 2]!, "POST", "/team/model/add", { team_id: "t", models: [name] });
    await Promise.all(names.map(add));
    const { team_info } = (await ask(first, "GET", "/team/info?team_id=t")) as {
      team_info: { models: string[] };
    };
    expect(team_info.models.toSorted()).toEqual(names);
    const log = await ask(first, "GET", "/audit?format=json&table_name=LiteLLM_TeamTable");
    expect(log).toMatchObject({ total: 10 });
  });

  it("of agents is seen at the other with the next request, and not under an old name", async () => {
    const definition = (agent_name: string) => ({ agent_name, agent_card_params: weatherCard });
    const names = async (gateway: TestGateway) =>
      ((await ask(gateway, "GET", "/v1/agents")) as { agent_name: string }[]).map((each) => each.agent_name);
    const { agent_id: id } = (await ask(first, "POST", "/v1/agents", definition("first"))) as {
      agent_id: string;
    };
    expect(await names(second)).toEqual(["first"]);
    await ask(second, "PUT", `/v1/agents/${id}`, definition("second"));
    expect(await names(first)).toEqual(["second"]);
  });

  it("of models and credentials is in force at the other, and gone there", async () => {
    const litellm_params = { model: "openai/gpt-4o", litellm_credential_name: "shared" };
    const credential = {
      credential_name: "shared",
      credential_values: { api_key: "sk-of-the-provider-0123456789abcdef", mock_response: "hi" },
    };
    await ask(first, "POST", "/credentials", credential);
    // The other one knows the credential, although it has not looked since.
    const { model_id: id } = (await ask(second, "POST", "/model/new", {
      model_name: "shared",
      litellm_params,
    })) as { model_id: string };
    const body = { model: "shared", messages: [{ role: "user", content: "hello" }] };
    const status = () => first.call("/v1/chat/completions", { body }).then((answer) => answer.status);
    await until(status, (seen) => seen === 200);
    await ask(second, "POST", "/model/delete", { id });
    await until(status, (seen) => seen === 400);
  });
});
