import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { budgetOwners } from "./support/budget-owners.ts";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;
const BUDGET = { max_budget: CALL, budget_duration: "30d", rpm_limit: 100 };

type Answer = Record<string, unknown>;

describe("A budget that is named", () => {
  let provider: TokenProvider;
  let gateway: TestGateway;
  beforeAll(async () => {
    provider = await startProvider();
    const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
    gateway = await startTestGateway({
      config: `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, ${price}}}
`,
    });
    await ask("/budget/new", { budget_id: "shared", ...BUDGET });
  });
  afterAll(async () => {
    await gateway?.close();
    provider?.close();
  });

  async function ask(path: string, body?: object, init: CallInit = {}): Promise<Answer> {
    const answer = await gateway.call(path, { ...init, ...(body && { body }) });
    const content = (await answer.json()) as Answer;
    expect(answer.status, `${path}: ${JSON.stringify(content)}`).toBe(200);
    return content;
  }

  const { budget: _, member: __, ...owners } = budgetOwners(ask);

  it.each(Object.entries(owners))("is shown where a %s names it, as it is then", async (kind, owner) => {
    const budget_id = `of the ${kind}`;
    await ask("/budget/new", { budget_id, ...BUDGET });
    const whole = { budget_id, ...BUDGET, soft_budget: null, max_rollover: null };
    const rest = { tpm_limit: null, max_parallel_requests: null };
    const made = await owner.make(`a ${kind}`, { budget_id });
    expect(made.litellm_budget_table).toEqual({ ...whole, ...rest, budget_reset_at: made.budget_reset_at });
    // What is its own stays apart from what it names.
    const changed = await owner.change(`a ${kind}`, { max_budget: 5 });
    expect(changed).toMatchObject({ max_budget: 5, litellm_budget_table: { max_budget: CALL } });
    await ask("/budget/update", { budget_id, max_budget: 7 });
    expect(await owner.show(`a ${kind}`)).toMatchObject({ litellm_budget_table: { max_budget: 7 } });
    expect(await owner.change(`a ${kind}`, { budget_id: null })).not.toHaveProperty("litellm_budget_table");
    expect(await owner.show(`a ${kind}`)).not.toHaveProperty("litellm_budget_table");
  });

  /** Calls with a key until one is refused. @returns how many were answered */
  async function spendAll(key: string): Promise<number> {
    const body = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "x" }] };
    for (let answered = 0; ; answered += 1) {
      const { status } = await gateway.call("/v1/chat/completions", { key, body });
      if (status !== 200) {
        expect(status).toBe(402);
        return answered;
      }
    }
  }

  it.each(["key", "team", "user"] as const)("is raised for a day by the %s that names it", async (kind) => {
    const id = `raised ${kind}`;
    const made = await owners[kind]!.make(id, { budget_id: "shared" });
    const fields = kind === "team" ? { team_id: id } : { user_id: id };
    const key = kind === "key" ? made.key : (await ask("/key/generate", fields)).key;
    expect(await spendAll(key as string)).toBe(1);
    const temp_budget_expiry = new Date(Date.now() + 86_400_000).toISOString();
    await owners[kind]!.change(id, { temp_budget_increase: 2 * CALL, temp_budget_expiry });
    expect(await spendAll(key as string)).toBe(2);
  });
});
