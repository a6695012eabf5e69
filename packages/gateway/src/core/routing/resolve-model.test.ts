import { describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { readConfig } from "../../platform/config/read/read-config.ts";
import { effectiveModel } from "../call/prepare-call.ts";
import { resolveModel } from "./resolve-model.ts";

const models = `
model_list:
  - {model_name: gpt, litellm_params: {model: azure/gpt-4o-eu, api_base: "https://a.example", api_key: k}, model_info: {id: eu}}
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k}, model_info: {id: us}}
  - {model_name: "anthropic/*", litellm_params: {model: anthropic/*, api_key: k}, model_info: {id: any-claude}}
  - {model_name: "anthropic/claude-*", litellm_params: {model: anthropic/claude-*, api_key: k}, model_info: {id: claude}}
  - {model_name: "team-*-v*", litellm_params: {model: "openai/ft:*:v*", api_key: k}, model_info: {id: tuned}}
router_settings:
  model_group_alias: {fast: gpt, smart: anthropic/claude-opus, gpt: ignored, lost: nowhere}
`;

function config(extra = "", commandLine = {}): GatewayConfig {
  return readConfig("c.yaml", models + extra, {}, commandLine).config;
}

function outcome(model: string, settings = config()): unknown {
  const { by, group, targets } = resolveModel(model, settings);
  return { by, group, targets: targets.map((target) => `${target.deployment.id}=${target.model}`) };
}

describe("resolveModel", () => {
  it("Messages rule 5: a model of the model list, before an alias of the same name", () => {
    expect(outcome("gpt")).toEqual({
      by: "model list",
      group: "gpt",
      targets: ["eu=gpt-4o-eu", "us=gpt-4o"],
    });
  });

  it("Messages rule 5: a model group alias, to a name or into a pattern", () => {
    expect(outcome("fast")).toMatchObject({ by: "model group alias", group: "gpt" });
    expect(outcome("smart")).toMatchObject({ by: "model group alias", targets: ["claude=claude-opus"] });
    expect(() => resolveModel("lost", config())).toThrow("Invalid model name");
  });

  it("Messages rule 5: a deployment name is called as that deployment", () => {
    expect(outcome("azure/gpt-4o-eu")).toEqual({
      by: "deployment name",
      group: "gpt",
      targets: ["eu=gpt-4o-eu"],
    });
  });

  it("Messages rule 5: a deployment id", () => {
    expect(outcome("us")).toEqual({ by: "deployment id", group: "gpt", targets: ["us=gpt-4o"] });
    expect(() => resolveModel("claude", config())).toThrow("Invalid model name");
  });

  it("Messages rule 5: pattern routes, the most specific first, fill the provider's name", () => {
    expect(outcome("anthropic/claude-x")).toMatchObject({ by: "pattern", targets: ["claude=claude-x"] });
    expect(outcome("anthropic/other/x")).toMatchObject({ targets: ["any-claude=other/x"] });
    expect(outcome("team-red-v2")).toMatchObject({ targets: ["tuned=ft:red:v2"] });
  });

  it("Messages rule 5: nobody calls a pattern by its own name", () => {
    for (const name of ["anthropic/*", "team-*-*", "team-red-v*", "*"])
      expect(() => resolveModel(name, config()), name).toThrow("Invalid model name");
  });

  it("Messages rule 5: the default deployment takes what nothing else does", () => {
    const settings = readConfig(
      "c.yaml",
      `model_list: [{model_name: "*", litellm_params: {model: openai/*, api_key: k}, model_info: {id: rest}}]`,
      {},
    ).config;
    expect(outcome("anything", settings)).toEqual({
      by: "default deployment",
      group: "*",
      targets: ["rest=anything"],
    });
  });

  it("Messages rule 5: the command line's model is called directly", () => {
    const settings = config("", { model: "mistral/large", apiBase: "https://b.example" });
    expect(outcome("mistral/large", settings)).toMatchObject({
      by: "command line",
      targets: ["direct:mistral=large"],
    });
    expect(resolveModel("mistral/large", settings).targets[0]!.deployment).toMatchObject({
      provider: "mistral",
      apiBase: "https://b.example",
    });
  });

  it("Messages rule 5: otherwise 400 with the detail error text", () => {
    expect.assertions(1);
    try {
      resolveModel("unknown", config());
    } catch (error) {
      const text = "completion: Invalid model name passed in model=unknown";
      expect(error).toMatchObject({
        status: 400,
        message: expect.stringContaining(text),
        detail: { error: text },
      });
    }
  });

  it.each(["__proto__", "constructor", "toString"])("does not take %s for a model", (name) => {
    expect(() => resolveModel(name, config())).toThrow("Invalid model name");
  });
});

describe("effectiveModel", () => {
  const alias = `
gateway_settings: {model_alias_map: {nick: gpt, cli: fast}}
general_settings: {completion_model: nick}
`;

  it("Messages rule 1: the completion model setting stands before the body's model", () => {
    expect(effectiveModel("other", "messages", config(alias))).toBe("gpt");
    expect(effectiveModel("other", "embeddings", config(alias))).toBe("other");
  });

  it("Messages rule 1: a command-line model overrides all", () => {
    expect(effectiveModel("other", "messages", config(alias, { model: "us" }))).toBe("us");
  });

  it("Messages rule 5: the command line's model is called directly, also by what the alias map makes of it", () => {
    const aliases = "\ngateway_settings: {model_alias_map: {cli: groq/llama}}\n";
    for (const [model, called] of [
      ["cli", "groq/llama"],
      ["groq/gemma", "groq/gemma"],
    ]) {
      const settings = config(aliases, { model });
      const resolved = resolveModel(effectiveModel("other", "messages", settings)!, settings);
      expect(resolved).toMatchObject({ by: "command line", group: called });
    }
    expect(() => resolveModel("cli", config(aliases, { model: "cli" }))).toThrow("Invalid model name");
  });

  it("Messages rule 3: the alias map replaces the name, also that of the command line", () => {
    const aliases = config("\ngateway_settings: {model_alias_map: {nick: gpt, cli: fast}}\n", {
      model: "cli",
    });
    expect(effectiveModel("nick", "messages", aliases)).toBe("fast");
    expect(effectiveModel("nick", "embeddings", aliases)).toBe("gpt");
    expect(effectiveModel("constructor", "embeddings", aliases)).toBe("constructor");
  });
});
