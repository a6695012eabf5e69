import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const DAY = 86_400_000;
/** Upper bounds, with what is below and above each. */
const BOUNDS = {
  max_budget: [10, 5, 10.5],
  budget_duration: ["30d", "7d", "31d"],
  duration: ["2d", "1d", "3d"],
  rpm_limit: [60, 1, 61],
  tpm_limit: [1000, 10, 1001],
  max_parallel_requests: [4, 1, 5],
} as const;
type Bounded = keyof typeof BOUNDS;
const names = Object.keys(BOUNDS) as Bounded[];

let gateway: TestGateway;
beforeAll(async () => {
  const bounds = Object.fromEntries(names.map((name) => [name, BOUNDS[name][0]]));
  const defaults = { max_budget: 2, models: ["m"], metadata: { made: "by default" }, team_id: "t" };
  gateway = await startTestGateway({
    config: `
model_list: [{model_name: m, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "http://127.0.0.1:9"}}]
litellm_settings:
  default_key_generate_params: ${JSON.stringify(defaults)}
  upperbound_key_generate_params: ${JSON.stringify(bounds)}
`,
  });
  await send("/team/new", { team_id: "t" });
});
afterAll(() => gateway?.close());

async function send(path: string, body: object) {
  const response = await gateway.call(path, { body });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown> & { key: string },
  };
}

const made = async (body: object = {}) => (await send("/key/generate", body)).body;

/** Ways to make or change a key; each gives the key as it is then, or the refusal. */
const ways: Record<string, (body: object) => ReturnType<typeof send>> = {
  "/key/generate": (body) => send("/key/generate", body),
  "/key/service-account/generate": (body) =>
    send("/key/service-account/generate", { team_id: "t", key_alias: crypto.randomUUID(), ...body }),
  "/key/update": async (body) => send("/key/update", { key: (await made()).key, ...body }),
  "/key/bulk_update": async (body) => {
    const { status, body: answer } = await send("/key/bulk_update", {
      keys: [{ key: (await made()).key, ...body }],
    });
    const [failed] = answer.failed_updates as { failed_reason: string }[];
    if (failed !== undefined) return { status: 400, body: { key: "", error: failed.failed_reason } };
    const [done] = answer.successful_updates as { key_info: { key: string } }[];
    return { status, body: done!.key_info };
  },
  "/key/regenerate": async (body) => send("/key/regenerate", { key: (await made()).key, ...body }),
};
const making = ["/key/generate", "/key/service-account/generate"];

/** A field as the answer has it; of a duration when it ends, in whole days from now. */
function shown(name: Bounded, answer: Record<string, unknown>): unknown {
  if (name !== "duration") return answer[name];
  return `${Math.round((Date.parse(String(answer.expires)) - Date.now()) / DAY)}d`;
}

describe.each(Object.keys(ways))("Upper bounds of keys hold at %s", (way) => {
  it.each(names)("%s", async (name) => {
    const [most, less, more] = BOUNDS[name];
    const ask = (value: unknown) => ways[way]!({ [name]: value });
    const refused = await ask(more);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining(`${name}: at most ${most}`),
    ]);
    expect(shown(name, (await ask(most)).body)).toBe(most);
    expect(shown(name, (await ask(less)).body)).toBe(less);
    // No limit is more than any; where the configuration has a default, nothing said is that.
    const withoutLimit = name === "max_budget" && making.includes(way) ? 2 : most;
    expect(shown(name, (await ask(null)).body)).toBe(withoutLimit);
  });
});

describe.each(Object.keys(ways))(
  "A budget that is higher for a time is held to its upper bound at %s",
  (way) => {
    it.each([
      [{ max_budget: 4, temp_budget_increase: 6 }, 200],
      [{ max_budget: 4, temp_budget_increase: 6.5 }, 400],
      [{ max_budget: 10, temp_budget_increase: 0.5 }, 400],
      [{ max_budget: null, temp_budget_increase: 1e6 }, 400],
    ])("%j: %d", async (fields, expected) => {
      const { status, body } = await ways[way]!({ temp_budget_expiry: "2199-12-31", ...fields });
      expect([status, body]).toEqual([expected, expect.anything()]);
      if (expected === 400) expect(JSON.stringify(body)).toContain("temp_budget_increase: with max_budget");
    });
  },
);

describe("Keys that say nothing", () => {
  it("have the defaults, and the upper bounds of the rest", async () => {
    expect(await made()).toMatchObject({
      max_budget: 2,
      models: ["m"],
      metadata: { made: "by default" },
      team_id: "t",
      rpm_limit: 60,
      budget_duration: "30d",
    });
    expect(await made({ models: ["m", "n"], metadata: { own: true }, max_budget: 3 })).toMatchObject({
      max_budget: 3,
      models: ["m", "n"],
      metadata: { own: true },
    });
  });

  it("are held to them when users are made with a key", async () => {
    const { key } = (await send("/user/new", { user_id: "u" })).body;
    const info = await gateway.call("/key/info", { key });
    expect(await info.json()).toMatchObject({ info: { rpm_limit: 60, tpm_limit: 1000 } });
  });

  it("stay as they are when something else of them changes", async () => {
    const { key } = await made();
    await send("/key/block", { key });
    expect((await send("/key/update", { key, key_alias: "renamed" })).body).toMatchObject({
      max_budget: 2,
      blocked: true,
    });
  });
});

describe("What the configuration says of keys", () => {
  it.each([
    ["upperbound_key_generate_params: {max_budgets: 1}", "did you mean max_budget"],
    ["upperbound_key_generate_params: {models: [m]}", "expected one of max_budget"],
    ["upperbound_key_generate_params: {duration: soon}", "expected a length of time"],
    ["default_key_generate_params: {rpm_limit: 1.5}", "expected a whole number"],
    ["default_key_generate_params: {metadata: {priority: prod}}", "expected a map without agents"],
    ["default_key_generate_params: [max_budget]", "expected a map"],
  ])("is refused as %s", async (line, reason) => {
    await expect(startTestGateway({ config: `litellm_settings: {${line}}` })).rejects.toThrow(reason);
  });
});
