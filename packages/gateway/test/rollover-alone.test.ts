import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "../src/platform/config/read/read-config.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    config: "general_settings: {master_key: sk-test-master-key-0123456789}\n",
  });
});
afterAll(() => gateway?.close());

const ask = async (path: string, body: object) => {
  const answer = await gateway.call(path, { body });
  return { status: answer.status, text: await answer.text() };
};

let count = 0;
const fresh = (): string => `fresh-${++count}`;

async function newKey(): Promise<string> {
  return (JSON.parse((await ask("/key/generate", {})).text) as { key: string }).key;
}

/** Makes something by a route and answers how it is named. */
const made = (path: string, field: string) => async (): Promise<object> => {
  const named = { [field]: fresh() };
  expect(await ask(path, named)).toMatchObject({ status: 200 });
  return named;
};
const key = async () => ({ key: await newKey() });
const nothing = async () => ({});
const team = made("/team/new", "team_id");
const member = async () => {
  const named = (await team()) as { team_id: string };
  return { ...named, member: { user_id: fresh(), role: "user" } };
};
const memberOf = async () => {
  const named = (await team()) as { team_id: string };
  const user_id = fresh();
  await ask("/team/member_add", { ...named, member: { user_id, role: "user" } });
  return { ...named, user_id };
};

/** Every route that gives a budget, with what its body has beside it. */
const routes: Record<string, () => Promise<object>> = {
  "/key/generate": nothing,
  "/key/service-account/generate": team,
  "/key/update": key,
  "/key/bulk_update": key,
  "/key/regenerate": key,
  "/key/{key}/regenerate": nothing,
  "/team/new": nothing,
  "/team/update": team,
  "/team/member_add": member,
  "/team/bulk_member_add": async () => {
    const { member: one, ...of } = (await member()) as { member: object };
    return { ...of, members: [one] };
  },
  "/team/member_update": memberOf,
  "/user/new": nothing,
  "/user/update": made("/user/new", "user_id"),
  "/organization/new": async () => ({ organization_alias: fresh() }),
  "/organization/update": async () => {
    const organization_id = fresh();
    await ask("/organization/new", { organization_id, organization_alias: organization_id });
    return { organization_id };
  },
  "/customer/new": async () => ({ user_id: fresh() }),
  "/customer/update": made("/customer/new", "user_id"),
  "/end_user/new": async () => ({ user_id: fresh() }),
  "/end_user/update": made("/customer/new", "user_id"),
  "/budget/new": nothing,
  "/budget/update": made("/budget/new", "budget_id"),
  "/tag/new": async () => ({ name: fresh() }),
  "/tag/update": made("/tag/new", "name"),
};

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

it("is refused wherever a budget is given, and taken with one", async () => {
  const document = (await (await gateway.call("/openapi.json")).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : document.components.schemas[$ref.split("/").at(-1)!]!;
  const fieldsOf = (path: string): Schema["properties"] => {
    const { properties = {} } = resolved(
      document.paths[path]?.post?.requestBody?.content["application/json"]?.schema ?? {},
    );
    const inLists = Object.values(properties).map((each) => resolved(each.items ?? {}).properties);
    return Object.assign({}, properties, ...inLists) as Schema["properties"];
  };
  const giving = Object.keys(document.paths).filter((path) => fieldsOf(path)?.max_rollover !== undefined);
  expect(giving.filter((path) => routes[path] === undefined)).toEqual([]);
  expect(giving.length).toBeGreaterThan(15);
  for (const path of giving) {
    const send = async (fields: object) => {
      const body = { ...(await routes[path]!()), ...fields };
      return ask(
        path.replace("{key}", path.includes("{key}") ? await newKey() : ""),
        path === "/key/bulk_update" ? { keys: [body] } : body,
      );
    };
    const refused = async (fields: object, message: string) => {
      const { status, text } = await send(fields);
      const isRefused =
        status === 400 || (path === "/key/bulk_update" && text.includes('"successful_updates":[]'));
      expect([path, isRefused, text]).toEqual([path, true, expect.stringContaining(message)]);
    };
    const taken = async (fields: object) => {
      const { status, text } = await send(fields);
      expect([path, fields, status, text]).toEqual([
        path,
        fields,
        200,
        expect.not.stringContaining("failed_reason"),
      ]);
    };
    const known = fieldsOf(path)!;
    const budget = known.max_budget === undefined ? "max_budget_in_team" : "max_budget";
    const without = "max_rollover: nothing is rolled over without";
    await refused({ max_rollover: 1 }, `${without} max_budget and budget_duration`);
    await refused({ max_rollover: 1, [budget]: 5 }, `${without} budget_duration`);
    await refused({ max_rollover: 1, budget_duration: "1d" }, `${without} max_budget`);
    await taken({ max_rollover: 1, [budget]: 5, budget_duration: "1d" });
    // Nothing said of it; a window alone and a temporary increase are LiteLLM's, which takes them.
    await taken({ max_rollover: null });
    await taken({ max_rollover: 0 });
    await taken({ budget_duration: "1d" });
    if (known.model_max_budget !== undefined && !/Refused/.test(JSON.stringify(known.model_max_budget))) {
      await refused(
        { model_max_budget: { m: { max_rollover: 1, budget_limit: 1 } } },
        "model_max_budget.m.max_rollover",
      );
      await taken({ model_max_budget: { m: { max_rollover: 1, budget_limit: 1, time_period: "1d" } } });
    }
    if (known.team_member_max_rollover !== undefined) {
      await refused({ team_member_max_rollover: 1 }, `team_member_${without} team_member_budget`);
      await taken({ team_member_max_rollover: 1, team_member_budget: 1, team_member_budget_duration: "1d" });
    }
  }
}, 60_000);

it("comes with the budget that a level has or inherits, and stays when that goes", async () => {
  const budget_id = fresh();
  await ask("/budget/new", { budget_id, max_budget: 5, budget_duration: "1d" });
  const inherited = await ask("/key/generate", { budget_id, max_rollover: 1 });
  expect(inherited).toMatchObject({ status: 200 });
  const key = await newKey();
  expect(await ask("/key/update", { key, max_budget: 5, budget_duration: "1d" })).toMatchObject({
    status: 200,
  });
  expect(await ask("/key/update", { key, max_rollover: 1 })).toMatchObject({ status: 200 });
  expect(await ask("/key/update", { key, max_budget: null, budget_duration: null })).toMatchObject({
    status: 200,
  });
  const team_id = fresh();
  await ask("/team/new", { team_id, team_member_budget: 5, team_member_budget_duration: "1d" });
  const joins = { team_id, member: { user_id: fresh(), role: "user" }, max_rollover: 1 };
  expect(await ask("/team/member_add", joins)).toMatchObject({ status: 200 });
});

it("is named in the configuration, as other options are that need a companion", () => {
  const warningsOf = (text: string): string[] =>
    readConfig("config.yaml", text, {}).warnings.map(({ path, message }) => `${path}: ${message}`);
  expect(
    warningsOf(`
model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: x}}]
litellm_settings: {budget_duration: 1d, internal_user_budget_duration: 1d, priority_reservation_settings: {default_priority: 0.1}}
general_settings: {maximum_spend_logs_retention_interval: 1d}
keys: [{key: sk-12345678, max_rollover: 1, budget_duration: 1d}, {key: sk-12345679, max_rollover: 1, max_budget: 2, budget_duration: 1d}]
`),
  ).toEqual([
    "litellm_settings.budget_duration: has no effect without max_budget",
    "litellm_settings.internal_user_budget_duration: has no effect without max_internal_user_budget",
    "litellm_settings.priority_reservation_settings: has no effect without priority_reservation",
    "general_settings.maximum_spend_logs_retention_interval: has no effect without maximum_spend_logs_retention_period",
    "keys[0].budget_duration: has no effect without max_budget",
    "keys[0].max_rollover: has no effect without max_budget",
  ]);
});
