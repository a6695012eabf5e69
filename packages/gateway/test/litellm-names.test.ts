import { describe, expect, it } from "vitest";
import { readConfig } from "../src/platform/config/read/read-config.ts";
import { providerNames } from "../src/providers/registry.ts";
import { generalSettings, litellmParams, litellmSettings, routerSettings } from "./support/litellm-names.ts";

/** Warnings, or errors where the value is none, of a file that gives one name a value. */
function saidOf(text: string, environment: Record<string, string> = {}): string {
  try {
    const { warnings } = readConfig("c.yaml", text, environment, {}, { providers: providerNames });
    return warnings.map(({ message }) => message).join("\n");
  } catch (error) {
    return (error as Error).message;
  }
}

const sections = {
  general_settings: [generalSettings, (name: string) => `general_settings: {${name}: 1}`],
  litellm_settings: [litellmSettings, (name: string) => `litellm_settings: {${name}: 1}`],
  router_settings: [routerSettings, (name: string) => `router_settings: {${name}: 1}`],
  litellm_params: [
    litellmParams.filter((name) => name !== "model"),
    (name: string) => `model_list: [{model_name: m, litellm_params: {model: openai/m, ${name}: 1}}]`,
  ],
} as const;

describe("Every name of LiteLLM's settings is known", () => {
  it.each(Object.keys(sections))("in %s", (section) => {
    const [names, textOf] = sections[section as keyof typeof sections];
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => saidOf(textOf(name)).includes("unknown key"))).toEqual([]);
    expect(saidOf(textOf("no_such_name"))).toContain("unknown key");
  });

  it("and a misspelt credential of a provider is told", () => {
    const said = saidOf(
      "model_list: [{model_name: m, litellm_params: {model: vertex_ai/m, vertex_projct: p, aws_regon_name: r}}]",
    );
    expect(said).toContain("did you mean vertex_project?");
    expect(said).toContain("did you mean aws_region_name?");
  });
});

describe("LiteLLM's environment variables", () => {
  it.each([
    ["SERVER_ROOT_PATH", "/llm", "has no effect here"],
    ["NO_DOCS", "True", "is NOT ENFORCED here"],
    ["ALLOWED_EMAIL_DOMAINS", "a.example", "is NOT ENFORCED here"],
  ])("%s=%s is said to have no effect", (name, value, effect) => {
    expect(saidOf("{}", { [name]: value })).toContain(`the environment variable ${name} ${effect}`);
    expect(saidOf(`environment_variables: {${name}: "${value}"}`)).toContain(`${name} ${effect}`);
    expect(saidOf("{}", { [name]: "" })).toBe("");
  });

  it("say nothing where they are switched off, and never what they hold", () => {
    expect(saidOf("{}", { NO_DOCS: "False", LITELLM_DROP_PARAMS: "0" })).toBe("");
    expect(saidOf("{}", { UI_PASSWORD: "hunter2" })).not.toContain("hunter2");
  });

  const databaseOf = (environment: Record<string, string>) =>
    readConfig("c.yaml", "{}", environment).config.environment.DATABASE_URL;
  const parts = {
    DATABASE_HOST: "db",
    DATABASE_USERNAME: "u",
    DATABASE_PASSWORD: "p@s/s",
    DATABASE_NAME: "n",
  };

  it("name the database by its parts, as LiteLLM's Helm chart does", () => {
    expect(databaseOf(parts)).toBe("postgresql://u:p%40s%2Fs@db/n");
    expect(databaseOf({ ...parts, DATABASE_PORT: "5433" })).toBe("postgresql://u:p%40s%2Fs@db:5433/n");
    expect(databaseOf({ ...parts, DATABASE_HOST: "db:5434", DATABASE_PORT: "5433" })).toContain("@db:5434/");
    expect(databaseOf({ ...parts, DATABASE_PASSWORD: "" })).toBe("postgresql://u@db/n");
    expect(databaseOf({ ...parts, DATABASE_URL: "none" })).toBe("none");
    expect(databaseOf({ DATABASE_HOST: "db" })).toBeUndefined();
  });
});

describe("LiteLLM's files as people have them", () => {
  it("are told where a setting belongs that stands in another section", () => {
    const text = "litellm_settings: {master_key: x}\ngeneral_settings: {default_key_generate_params: {}}\n";
    const said = saidOf(text, { LITELLM_MASTER_KEY: "sk-0123456789012345678901" });
    expect(said.split("\n")).toEqual([
      "has no effect here: it takes effect in general_settings",
      "has no effect here: it takes effect in litellm_settings",
    ]);
  });

  it("turn the metrics on in any list of callbacks, and name classes of errors without `Error`", () => {
    expect(saidOf('litellm_settings: {success_callback: ["prometheus"]}')).toBe("");
    const policies =
      "router_settings: {retry_policy: {ContentPolicyViolationRetries: 1}, allowed_fails_policy: {RateLimitErrorAllowedFails: 5}}";
    const { config } = readConfig("c.yaml", policies, {});
    expect(config.routerSettings).toMatchObject({
      retryPolicy: { contentPolicy: 1 },
      allowedFailsPolicy: { rateLimit: 5 },
    });
  });
});
