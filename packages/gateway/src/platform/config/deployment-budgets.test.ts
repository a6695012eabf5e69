import { describe, expect, it } from "vitest";
import type { ConfigError } from "./problem.ts";
import { readConfig } from "./read/read-config.ts";

const read = (text: string) => readConfig("c.yaml", text, {}, {}, { providers: ["openai", "groq"] });

function errorOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    return (error as ConfigError).problems[0]!.message;
  }
  return "";
}

const entry = (more = "", model = "openai/m") => `{model_name: m, litellm_params: {model: ${model}${more}}}`;
const file = (providers: string, ...entries: readonly string[]) =>
  `{model_list: [${entries.join(", ")}], router_settings: {provider_budget_config: ${providers}}}`;

describe("Budgets of providers and deployments", () => {
  it("are a deployment's own and its provider's, by LiteLLM's names", () => {
    const { config, warnings } = read(
      file(
        "{OpenAI: {budget_limit: '5', time_period: 1d}}",
        entry(", max_budget: 2, budget_duration: 12h"),
        entry("", "groq/m"),
      ),
    );
    expect(warnings).toEqual([]);
    const [first, second] = config.deployments;
    expect(first!.budgets).toEqual([
      expect.objectContaining({
        owner: `deployment ${first!.id}`,
        limits: { maxBudget: 2, budgetDuration: "12h" },
      }),
      expect.objectContaining({ owner: "provider openai", limits: { maxBudget: 5, budgetDuration: "1d" } }),
    ]);
    expect(second!.budgets).toBeUndefined();
  });

  it("leave a deployment its id when they are changed, and give equal entries one each", () => {
    const ids = (...entries: readonly string[]) =>
      read(file("{}", ...entries)).config.deployments.map(({ id }) => id);
    expect(ids(entry(", max_budget: 2"))).toEqual(ids(entry()));
    const [one, other] = read(file("{}", entry(", max_budget: 2"), entry(", max_budget: 2"))).config
      .deployments;
    expect(one!.budgets![0]!.owner).toBe(`deployment ${one!.id}`);
    expect(other!.budgets![0]!.owner).toBe(`deployment ${other!.id}`);
    expect(one!.id).not.toBe(other!.id);
  });

  it.each([
    ["{openai: 5}", "expected a map of limits"],
    ["{openai: {budget_limit: -1}}", "expected a number, at least 0"],
    ["{openai: {budget_limit: 1, time_period: soon}}", "expected a length of time"],
    ["{openai: {budget: 1}}", "expected one of max_budget, budget_limit"],
    ["{openai: {budget_limit: 1}, OPENAI: {budget_limit: 1}}", "openai stands twice"],
    ["[openai]", "expected a map from names to"],
  ])("refuse %s", (providers, message) => {
    expect(errorOf(file(providers, entry()))).toContain(message);
  });

  it.each([", max_budget: -1", ", max_budget: free", ", budget_duration: 5"])(
    "refuse a deployment's %s",
    (more) => {
      expect(errorOf(file("{}", entry(more)))).toContain("expected");
    },
  );

  it("warn of what holds nobody", () => {
    const { warnings } = read(
      file(
        "{opnai: {budget_limit: 1}, groq: {budget_limit: 1}, openai: {time_period: 1d}}",
        entry(", budget_duration: 1d"),
      ),
    );
    expect(warnings.map(({ message }) => message)).toEqual([
      "holds nobody: no entry of model_list has this provider; did you mean openai?",
      "holds nobody: no entry of model_list has this provider",
      "has no effect without budget_limit",
      "has no effect without max_budget",
    ]);
    const everything = file("{groq: {budget_limit: 1}}", '{model_name: "*", litellm_params: {model: "*"}}');
    expect(read(everything).warnings).toEqual([]);
  });
});
