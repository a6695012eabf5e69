import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

type Answer = Record<string, unknown>;

const configOf = (settings: string): string =>
  `model_list: [{model_name: m, litellm_params: {model: openai/gpt-4o, api_key: x}}]\ngeneral_settings: {master_key: sk-test-master-key-0123456789}\nlitellm_settings: {${settings}}\n`;

describe("The budget of new internal users", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      config: configOf("max_internal_user_budget: 2.5, internal_user_budget_duration: 7d"),
    });
  });
  afterAll(() => gateway?.close());

  async function must(path: string, body?: object): Promise<Answer> {
    const answer = await gateway.call(path, body && { body });
    const content = (await answer.json()) as Answer;
    expect(answer.status, `${path}: ${JSON.stringify(content)}`).toBe(200);
    return content;
  }

  const budgetOf = async (user: string) => {
    const { max_budget, budget_duration } = (await must(`/user/info?user_id=${user}`)).user_info as Answer;
    return [max_budget, budget_duration];
  };

  it("is the configuration's, whoever makes them, unless something else is said", async () => {
    const made = async (user_id: string, fields: object = {}) => {
      await must("/user/new", { user_id, auto_create_key: false, ...fields });
      return budgetOf(user_id);
    };
    const member = (user_id: string) => ({ user_id, role: "user" });
    const none = [undefined, undefined];
    expect(await made("plain")).toEqual([2.5, "7d"]);
    // As LiteLLM's console sends it.
    expect(await made("null", { max_budget: null, budget_duration: null })).toEqual([2.5, "7d"]);
    expect(await made("own", { max_budget: 1 })).toEqual([1, "7d"]);
    expect(await made("own window", { budget_duration: "1d" })).toEqual([2.5, "1d"]);
    expect(await made("nothing", { max_budget: 0 })).toEqual([0, "7d"]);
    expect(await made("viewer", { user_role: "internal_user_viewer" })).toEqual(none);
    expect(await made("admin", { user_role: "proxy_admin" })).toEqual(none);
    await must("/budget/new", { budget_id: "b", max_budget: 9 });
    expect(await made("named", { budget_id: "b" })).toEqual(none);
    await must("/team/new", { team_id: "t", members_with_roles: [member("of a new team")] });
    expect(await budgetOf("of a new team")).toEqual([2.5, "7d"]);
    await must("/team/member_add", { team_id: "t", member: member("of a team") });
    expect(await budgetOf("of a team")).toEqual([2.5, "7d"]);
    await must("/organization/new", { organization_id: "o", organization_alias: "o" });
    const inOrganization = {
      organization_id: "o",
      member: { user_id: "of an organization", role: "internal_user" },
    };
    await must("/organization/member_add", inOrganization);
    expect(await budgetOf("of an organization")).toEqual([2.5, "7d"]);
  });

  it("holds their calls, and stays with them when the configuration changes", async () => {
    const { key } = await must("/user/new", { user_id: "caller" });
    const { key: spent } = await must("/user/new", { user_id: "spent", max_budget: 0 });
    const body = { model: "m", messages: [{ role: "user", content: "x" }], mock_response: "hi" };
    const call = async (by: unknown) =>
      (await gateway.call("/v1/chat/completions", { key: by as string, body })).status;
    expect(await call(spent)).toBe(402);
    expect(await call(key)).toBe(200);
    gateway.writeConfig(configOf(""));
    await expect
      .poll(async () => {
        const user_id = `u${Math.random()}`;
        await must("/user/new", { user_id, auto_create_key: false });
        return budgetOf(user_id);
      })
      .toEqual([undefined, undefined]);
    expect(await budgetOf("caller")).toEqual([2.5, "7d"]);
  });
});
