import { describe, expect, it } from "vitest";
import { DIALECT_KEY_HEADERS, GATEWAY_KEY_HEADERS } from "../../../contract/key-headers.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { GatewayConfig } from "../gateway-config.ts";
import { ConfigError, formatProblem } from "../problem.ts";
import { readConfig } from "./read-config.ts";

function read(text: string, environment: Record<string, string> = {}) {
  return readConfig("config.yaml", text, environment);
}

function errorsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(formatProblem);
    throw error;
  }
  return [];
}

function warningsOf(text: string): string[] {
  return read(text).warnings.map(formatProblem);
}

const litellmExample = `
model_list:
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-eu
      api_base: https://example.openai.azure.com/
      api_key: "os.environ/AZURE_KEY"
      api_version: "2024-10-21"
      rpm: 6
      region_name: eu
    model_info: {id: azure-eu}
  - model_name: anthropic/*
    litellm_params:
      model: anthropic/*
      api_key: os.environ/ANTHROPIC_KEY
      input_cost_per_token: 0.000003
      temperature: 0.2
litellm_settings:
  drop_params: true
  num_retries: 4
  fallbacks: [{"gpt-4o": ["anthropic/claude-x"]}]
router_settings:
  routing_strategy: usage-based-routing-v2
  model_group_alias: {"gpt-4": "gpt-4o", "old": {"model": "gpt-4o", "hidden": true}}
general_settings:
  master_key: sk-1234
environment_variables:
  ANTHROPIC_KEY: from-the-file
`;

function keptOfKeys({ keys }: GatewayConfig): string {
  return Buffer.from(keys.packed.texts).toString();
}

describe("readConfig", () => {
  it("reads LiteLLM's file as it is", () => {
    const { config, warnings } = read(litellmExample, { AZURE_KEY: "secret" });
    expect(warnings.map(formatProblem)).toEqual([
      "config.yaml:26:3: general_settings.master_key: has fewer than 8 characters and can be guessed; choose a longer one",
    ]);
    expect(config.deployments[0]).toMatchObject({
      id: "azure-eu",
      modelName: "gpt-4o",
      provider: "azure",
      model: "gpt-4o-eu",
      apiKey: "secret",
      apiVersion: "2024-10-21",
      rpm: 6,
      region: "eu",
    });
    expect(config.deployments[1]).toMatchObject({
      apiKey: "from-the-file",
      prices: { inputPerToken: 0.000003 },
      params: { temperature: 0.2 },
    });
    expect(config.gatewaySettings.dropParams).toBe(true);
    expect(config.routerSettings).toMatchObject({
      routingStrategy: "usage-based-routing",
      modelGroupAlias: { "gpt-4": "gpt-4o", old: "gpt-4o" },
      numRetries: 4,
      fallbacks: { "gpt-4o": ["anthropic/claude-x"] },
      cooldownTime: 5,
    });
    expect(config.generalSettings.masterKey).toBe("sk-1234");
  });

  it("takes gateway_* and litellm_* names for the same", () => {
    const litellm = read(litellmExample, { AZURE_KEY: "secret" }).config;
    const own = read(litellmExample.replaceAll("litellm_", "gateway_"), { AZURE_KEY: "secret" }).config;
    expect(own).toEqual(litellm);
  });

  it("lets router_settings win over the same settings of gateway_settings", () => {
    const { config } = read("{gateway_settings: {num_retries: 1}, router_settings: {num_retries: 7}}");
    expect(config.routerSettings.numRetries).toBe(7);
  });

  it("gives entries without an id the same one on every start, whatever their key and order of keys", () => {
    const first = read(
      "{model_list: [{model_name: m, litellm_params: {model: openai/a, rpm: 1, api_key: x}}]}",
    );
    const second = read(
      "{model_list: [{model_name: m, litellm_params: {api_key: y, rpm: 1, model: openai/a}}]}",
    );
    expect(second.config.deployments[0]?.id).toBe(first.config.deployments[0]?.id);
    expect(first.config.deployments[0]?.id).toMatch(/^[0-9a-f]{32}$/);
  });

  it("says line, column and path of a wrong type", () => {
    expect(
      errorsOf(
        "model_list:\n  - model_name: m\n    litellm_params:\n      model: openai/a\n      rpm: many\n",
      ),
    ).toEqual(["config.yaml:5:7: model_list[0].litellm_params.rpm: expected a number"]);
  });

  it("takes time zones by their names and says the nearest", () => {
    const settings = (timezone: string): string => `litellm_settings: {timezone: ${timezone}}\n`;
    for (const name of ["US/Eastern", "UTC", "Asia/Kolkata", "Etc/GMT+5"])
      expect(read(settings(name)).config.gatewaySettings.timezone).toBe(name);
    expect(read("").config.gatewaySettings.timezone).toBeUndefined();
    const wrong = ["US/Estern", "Europe/Berln", "Mars/Olympus_Mons", '"+01:00"', '""', "5", "[UTC]"];
    const said = wrong.flatMap((name) => errorsOf(settings(name)));
    expect(said.map((line) => line.replace(/^.*timezone: expected an IANA time zone/, ""))).toEqual([
      "; did you mean US/Eastern?",
      "; did you mean Europe/Berlin?",
      ...Array(5).fill(" such as US/Eastern"),
    ]);
  });

  it("reports every error of a file at once", () => {
    expect(errorsOf("router_settings: {num_retries: -1, cooldown_time: x}\nkeys: 3\n")).toEqual([
      "config.yaml:1:19: router_settings.num_retries: expected a number, at least 0",
      "config.yaml:1:36: router_settings.cooldown_time: expected a number",
      "config.yaml:2:1: keys: expected a list of keys",
    ]);
  });

  it("reads prices of tiers and long inputs, and says of LiteLLM's other prices that they have no effect", () => {
    const text = `model_list:
  - model_name: m
    litellm_params:
      model: openai/m
      input_cost_per_token: 1
      input_cost_per_token_above_272k_tokens: 2
      output_cost_per_token_above_128k_tokens_priority: 3
      cache_read_input_token_cost_batches: 4
      input_cost_per_image: 5
    model_info: {input_cost_per_token: 9, output_cost_per_token: 8, input_cost_per_query: 7}
`;
    expect(read(text).config.deployments[0]!.prices).toEqual({
      inputPerToken: 1,
      outputPerToken: 8,
      long: [{ above: 272_000, inputPerToken: 2 }],
      tiers: new Map([
        ["priority", { long: [{ above: 128_000, outputPerToken: 3 }] }],
        ["batch", { cacheReadPerToken: 4 }],
      ]),
    });
    const warning = "has no effect here: prices are of tokens, and of seconds of video";
    expect(warningsOf(text)).toEqual([
      `config.yaml:10:69: model_list[0].model_info.input_cost_per_query: ${warning}`,
      `config.yaml:9:7: model_list[0].litellm_params.input_cost_per_image: ${warning}`,
    ]);
  });

  it.each([
    ["router_settings: {redis_url: 'redis://a:1'}", "redis://a:1"],
    [
      "router_settings: {redis_host: a, redis_port: '7', redis_password: p@ss, redis_db: 2}",
      "redis://:p%40ss@a:7/2",
    ],
    ["router_settings: {redis_host: os.environ/MY_HOST}", "redis://mine:6379/0"],
    [
      "litellm_settings: {cache: true, cache_params: {type: redis, host: '::1', ssl: true}}",
      "rediss://[::1]:6379/0",
    ],
    ["litellm_settings: {cache_params: {host: c}}\nrouter_settings: {redis_host: r}", "redis://r:6379/0"],
    ["litellm_settings: {cache_params: {type: s3, host: c}}", undefined],
    ["{}", undefined],
  ])("finds the Redis of %s", (text, expected) => {
    expect(read(text, { MY_HOST: "mine" }).config.redisUrl).toBe(expected);
  });

  it("takes from the environment what the file does not say of Redis", () => {
    const environment = { REDIS_HOST: "e", REDIS_PASSWORD: "p", REDIS_USERNAME: "u", REDIS_SSL: "True" };
    expect(read("{}", environment).config.redisUrl).toBe("rediss://u:p@e:6379/0");
    const file = "router_settings: {redis_host: f}";
    expect(read(file, { REDIS_URL: "redis://e", REDIS_PASSWORD: "p" }).config.redisUrl).toBe(
      "redis://:p@f:6379/0",
    );
    expect(read("{}", { ...environment, REDIS_URL: "redis://first" }).config.redisUrl).toBe("redis://first");
  });

  it("says that an address of Redis is none, without the password", () => {
    expect(errorsOf("router_settings: {redis_url: 'http://:secret@a'}")).toEqual([
      "config.yaml:1:19: router_settings.redis_url: expected the address of a Redis",
    ]);
    expect(warningsOf("litellm_settings: {cache_params: {type: redis, service_name: s}}")).toEqual([
      expect.stringContaining("service_name: is NOT ENFORCED here: one server keeps the answers"),
      expect.stringContaining("cache_params: answers are not kept without `cache: true`"),
    ]);
  });

  it("says what is wrong in a retry policy", () => {
    const text =
      "router_settings:\n  retry_policy: {BadRequstErrorRetries: 1}\n  model_group_retry_policy:\n    m: {DefaultRetries: often}\n";
    expect(errorsOf(text)).toEqual([
      expect.stringMatching(
        /^config\.yaml:2:18: router_settings\.retry_policy\.BadRequstErrorRetries: expected one of /,
      ),
      "config.yaml:4:9: router_settings.model_group_retry_policy.m.DefaultRetries: expected a whole number, at least 0",
    ]);
  });

  it("says where the YAML itself is broken", () => {
    expect(errorsOf("model_list:\n  - {model_name: m\n")[0]).toMatch(/^config\.yaml:\d+:\d+: /);
  });

  it.each([
    ["model_list:\n  - model_name: m\n   litellm_params:\n", "config.yaml:3:4: ", "are indented"],
    [
      "model_list:\n  - model_name: m\n    litellm_params:\n   model: a\n",
      "config.yaml:4:4: ",
      "are indented",
    ],
    ["model_list:\n\t- model_name: m\n", "config.yaml:2:1: ", "; use spaces"],
    ['general_settings:\n  master_key: "sk-1\nmodel_list: []\n', "config.yaml:2:15: ", "closing quote"],
    ["model_list:\n  - {model_name: m\nkeys: []\n", "config.yaml:2:5: ", "or bracket"],
    ["general_settings: {master_key: sk-1}}\n", "config.yaml:1:37: ", "into quotes"],
    ["general_settings:\n  master_key: @sk-1\n", "config.yaml:2:", "begin with @"],
    ["model_list: []\nkeys\ngeneral_settings: {}\n", "config.yaml:3:", "are indented"],
    ["model_list: []\n---\nkeys: []\n", "config.yaml:1:1: ", "more than one document"],
    ["general_settings: {master_key: {{ .Values.key }} }\n", "config.yaml:1:", "begins with {"],
    ["model_list: *all\n", "config.yaml:1:13: ", "aliases"],
    ["general_settings: {master_key: !sk-1}\n", "config.yaml:1:", "tags"],
    ["general_settings:\n  master_key: a: b\n", "config.yaml:2:16: ", "into quotes"],
    [
      "model_list:\n- model_name: m\n  litellm_params:\n  model: openai/m\n",
      "config.yaml:3:3: ",
      "indented further",
    ],
  ])("says how to mend the indentation of %j", (text, place, step) => {
    expect(errorsOf(text)).toEqual([expect.stringMatching(new RegExp(`^${place}.*${step}`))]);
  });

  it("repeats no address that stands in the wrong place, wherever that is", () => {
    const address = "https://user:hidden@hooks.example.com/services/hidden?key=hidden";
    const lists = [
      "callbacks",
      "success_callback",
      "failure_callback",
      "service_callback",
      "audit_log_callbacks",
    ];
    const texts = [
      ...lists.map((list) => `litellm_settings: {${list}: ["${address}"]}`),
      `general_settings: {alerting: ["${address}"]}`,
      `callback_settings: {"${address}": {}}`,
      `router_settings: {"${address}": 1, routing_strategy: "${address}"}`,
      `litellm_settings: {cache: true, cache_params: {type: "${address}"}}`,
      `model_list: [{model_name: a, litellm_params: {model: "${address}"}}]`,
      `"${address}": 1`,
    ];
    for (const text of texts) {
      const errors = errorsOf(text);
      const told = errors.length > 0 ? errors : warningsOf(text);
      expect(told.join("\n"), text).not.toContain("hidden");
    }
  });

  it("warns of an unknown key and names the nearest", () => {
    expect(warningsOf("router_settings:\n  num_retrys: 2\n")).toEqual([
      "config.yaml:2:3: router_settings.num_retrys: unknown key; did you mean num_retries?",
    ]);
    expect(warningsOf("modle_list: []\n")).toEqual([
      "config.yaml:1:1: modle_list: unknown key; did you mean model_list?",
    ]);
  });

  it("warns of an environment variable that is not set and leaves the value absent", () => {
    const text =
      "{model_list: [{model_name: m, litellm_params: {model: openai/a, api_key: os.environ/NONE}}]}";
    expect(read(text).config.deployments[0]?.apiKey).toBeUndefined();
    expect(warningsOf(text)[0]).toContain("the environment variable NONE is not set");
  });

  it("says that options of features it does not have change nothing", () => {
    expect(warningsOf("{litellm_settings: {json_logs: true}}")[0]).toContain("has no effect here");
  });

  it("says so plainly where a limit of LiteLLM's is not enforced", () => {
    expect(
      warningsOf(
        "{guardrails: [], litellm_settings: {post_call_rules: 1}, router_settings: {guardrail_list: []}}",
      ),
    ).toEqual([
      expect.stringMatching(/:1:2: guardrails: is NOT ENFORCED here: /),
      expect.stringMatching(/: litellm_settings.post_call_rules: is NOT ENFORCED here: /),
      expect.stringMatching(/: router_settings.guardrail_list: is NOT ENFORCED here: /),
    ]);
  });

  it("names beside an error the variables that are not set, of which it may come", () => {
    const text =
      "litellm_settings: {cache: true, cache_params: {type: redis, host: os.environ/CACHE_HOST}}\n" +
      "general_settings: {master_key: os.environ/THE_KEY}\n";
    const reading = () => readConfig("c.yaml", text, {});
    expect(reading).toThrow("cache_params.type: names no Redis");
    expect(reading).toThrow(
      /^warning: .*cache_params.host: the environment variable CACHE_HOST is not set$/m,
    );
    expect(reading).toThrow(/^warning: .*master_key: the environment variable THE_KEY is not set$/m);
  });

  it("names the section in which a key stands, also where its synonym stands beside it", () => {
    const text =
      "gateway_settings: {num_retries: 1}\nlitellm_settings: {drop_parms: true, post_call_rules: 1}\n";
    expect(warningsOf(text)).toEqual([
      expect.stringMatching(/:2:1: litellm_settings: stands beside gateway_settings/),
      expect.stringMatching(/:2:\d+: litellm_settings.post_call_rules: is NOT ENFORCED here: /),
      expect.stringMatching(/:2:\d+: litellm_settings.drop_parms: .*did you mean drop_params/),
    ]);
  });

  it("names a key that its section's synonym has too, because only one counts", () => {
    const text = "gateway_settings: {callbacks: [prometheus]}\nlitellm_settings: {callbacks: [otel]}\n";
    expect(warningsOf(text)).toEqual([
      expect.stringMatching(/:2:1: litellm_settings: stands beside gateway_settings/),
      expect.stringMatching(
        /:2:\d+: litellm_settings.callbacks: has no effect, .*gateway_settings.callbacks wins/,
      ),
    ]);
  });

  it("warns of callbacks that are neither modules nor its own, each in its place", () => {
    expect(
      warningsOf(
        "litellm_settings:\n  callbacks:\n    - ./a.mjs\n    - format_python\n    - custom.handler\n",
      ),
    ).toEqual([
      expect.stringMatching(
        /^config.yaml:5:7: litellm_settings.callbacks\[2\]: custom.handler has no effect/,
      ),
    ]);
  });

  it("warns of providers that it does not know, where it is told which there are", () => {
    const text = "model_list:\n  - {model_name: m, litellm_params: {model: antropic/x}}\n";
    expect(warningsOf(text)).toEqual([]);
    const { warnings } = readConfig("c.yaml", text, {}, {}, { providers: ["openai", "anthropic"] });
    expect(warnings.map(formatProblem)).toEqual([
      "c.yaml:2:38: model_list[0].litellm_params.model: the provider antropic is not known here, so calls of this model fail; did you mean anthropic?",
    ]);
  });

  it("puts credentials under a deployment's own parameters, and the router's defaults under both", () => {
    const text = `
credential_list:
  - {credential_name: eu, credential_values: {api_key: os.environ/EU_KEY, api_base: "https://eu", temperature: 0.2}}
model_list:
  - model_name: m
    litellm_params: {model: azure/a, litellm_credential_name: eu, api_base: "https://own"}
  - {model_name: n, litellm_params: {model: openai/b, max_parallel_requests: 3}}
router_settings: {default_litellm_params: {temperature: 0.9, top_p: 0.5}, default_max_parallel_requests: 7}
`;
    const [first, second] = read(text, { EU_KEY: "secret" }).config.deployments;
    expect(first).toMatchObject({
      apiKey: "secret",
      apiBase: "https://own",
      maxParallelRequests: 7,
      params: { temperature: 0.2, top_p: 0.5 },
    });
    expect(first!.params).not.toHaveProperty("litellm_credential_name");
    expect(second).toMatchObject({ apiKey: undefined, maxParallelRequests: 3, params: { temperature: 0.9 } });
    expect(errorsOf(text.replace("credential_name: eu,", "credential_name: us,"))).toEqual([
      "config.yaml:6:38: model_list[0].litellm_params.litellm_credential_name: names no credential of credential_list",
    ]);
  });

  it("takes prices from the parameters, else from model_info", () => {
    const text = `
model_list:
  - model_name: m
    litellm_params: {model: openai/a, output_cost_per_token: 3, cache_creation_input_token_cost_above_1hr: 4}
    model_info: {input_cost_per_token: 1, output_cost_per_token: 2, max_tokens: 10, input_cost_per_audio_token: 5}
`;
    expect(read(text).config.deployments[0]?.prices).toEqual({
      inputPerToken: 1,
      outputPerToken: 3,
      cacheWriteLongPerToken: 4,
      inputPerAudioToken: 5,
    });
    expect(read(text).warnings).toEqual([]);
    expect(errorsOf(text.replace("output_cost_per_token: 2", "output_cost_per_token: much"))).toEqual([
      "config.yaml:5:43: model_list[0].model_info.output_cost_per_token: expected a number",
    ]);
  });

  it("takes master and salt key from the environment where the file has none, and refuses an empty one", () => {
    const environment = { LITELLM_MASTER_KEY: "sk-env", LITELLM_SALT_KEY: "salt" };
    expect(read("", environment).config.generalSettings).toMatchObject({
      masterKey: "sk-env",
      saltKey: "salt",
    });
    const own = read("general_settings: {master_key: sk-file}", environment);
    expect(own.config.generalSettings.masterKey).toBe("sk-file");
    expect(errorsOf('general_settings: {master_key: ""}')[0]).toContain("is empty");
  });

  it("includes further files: their lists behind its own, their settings over its own", () => {
    const files: Record<string, string> = {
      "models.yaml": "model_list:\n  - {model_name: b, litellm_params: {model: openai/b, rpn: 3}}\n",
      "rest.yaml": "router_settings: {num_retries: 9}\nenvironment_variables: {KEY: from-rest}\n",
      "wrong.yaml": "model_list:\n  - model_name: c\n    litellm_params: {model: openai/c, rpm: many}\n",
      "deeper.yaml": "include: [models.yaml]\n",
    };
    const open = (path: string) => {
      const text = files[path];
      if (text === undefined) throw new Error("no such file");
      return { file: path, text };
    };
    const readWith = (include: string) =>
      readConfig(
        "c.yaml",
        `include: [${include}]\nmodel_list:\n  - {model_name: a, litellm_params: {model: openai/a, api_key: os.environ/KEY}}\nrouter_settings: {num_retries: 1, cooldown_time: 8}\n`,
        {},
        {},
        { open },
      );
    const { config, warnings } = readWith("models.yaml, rest.yaml");
    expect(config.deployments.map(({ modelName, apiKey }) => [modelName, apiKey])).toEqual([
      ["a", "from-rest"],
      ["b", undefined],
    ]);
    expect(config.routerSettings).toMatchObject({ numRetries: 9, cooldownTime: 8 });
    expect(warnings.map(formatProblem)).toEqual([
      "models.yaml:2:55: model_list[1].litellm_params.rpn: unknown key; did you mean rpm?",
    ]);
    expect(() => readWith("models.yaml, wrong.yaml")).toThrow(
      "wrong.yaml:3:39: model_list[2].litellm_params.rpm: expected a number",
    );
    expect(() => readWith("nowhere.yaml")).toThrow("c.yaml:1:11: include[0]: no such file");
    expect(() => readWith("deeper.yaml")).toThrow(
      "deeper.yaml:1:1: include: is only possible in the first file",
    );
  });

  it("refuses two deployments with one id", () => {
    const entry = "{model_name: m, litellm_params: {model: openai/a}, model_info: {id: same}}";
    expect(errorsOf(`{model_list: [${entry}, ${entry}]}`)[0]).toContain("has the id of model_list[0]");
  });

  it("tells entries apart that differ in their key alone, whatever the keys are", () => {
    const ids = (...keys: string[]): string[] => {
      const entry = (key: string): string =>
        `  - {model_name: m, litellm_params: {model: openai/a, api_key: ${key}}}\n`;
      return read(`model_list:\n${keys.map(entry).join("")}`).config.deployments.map(({ id }) => id);
    };
    const before = ids("first", "second", "third");
    expect(new Set(before).size).toBe(3);
    expect(ids("first", "rotated", "third")).toEqual(before);
  });

  it("keeps an entry's identity when its credentials are rotated, whatever they are", () => {
    const id = (name: string, value: string): string => {
      const params = { model: "bedrock/a", aws_region_name: "us-east-1", [name]: value };
      const text = JSON.stringify({ model_list: [{ model_name: "m", litellm_params: params }] });
      return read(text).config.deployments[0]!.id;
    };
    const secrets = [
      "api_key",
      "client_secret",
      "azure_ad_token",
      "vertex_credentials",
      "vertex_ai_credentials",
    ];
    const ofAws = ["access_key_id", "secret_access_key", "session_token", "web_identity_token"];
    for (const name of [...secrets, ...ofAws.map((each) => `aws_${each}`)])
      expect(id(name, "rotated"), name).toBe(id(name, "first"));
    expect(id("aws_role_name", "other")).not.toBe(id("aws_role_name", "first"));
  });

  it("reads what Python's YAML reads: numbers with underscores, yes and on, the last of two equal keys", () => {
    const text = `model_list:
  - {model_name: m, litellm_params: {model: openai/a, tpm: 20_000}}
litellm_settings:
  drop_params: yes
  callbacks: [{websearch_interception: {enabled: true}}]
router_settings: {num_retries: 1, disable_cooldowns: on, num_retries: 4}
`;
    const { config, warnings } = read(text);
    expect(config.deployments[0]!.tpm).toBe(20_000);
    expect(config.gatewaySettings.dropParams).toBe(true);
    expect(config.routerSettings).toMatchObject({ numRetries: 4, disableCooldowns: true });
    expect(warnings.map(formatProblem)).toEqual([
      "config.yaml:6:58: this key stands there more than once; the last one holds",
      expect.stringMatching(/callbacks\[0\]: websearch_interception has no effect here/),
    ]);
  });

  it("takes tpm and rpm beside litellm_params, and base_model within", () => {
    const text =
      "{model_list: [{model_name: m, litellm_params: {model: azure/ours, rpm: 1, base_model: azure/gpt-4o}, rpm: 3, tpm: 4}]}";
    const { config, warnings } = read(text);
    expect(config.deployments[0]).toMatchObject({ rpm: 1, tpm: 4, info: { base_model: "azure/gpt-4o" } });
    expect(warnings).toEqual([]);
  });

  it.each([
    ["gpt-4o", "openai"],
    ["claude-sonnet-4-5", "anthropic"],
    ["gemini-2.5-pro", "gemini"],
    ["gemini-2.5-pro, vertex_project: p", "vertex_ai"],
    ["'us.anthropic.claude-sonnet-4-20250514-v1:0'", "bedrock"],
    ["amazon.nova-pro-v1:0", "bedrock"],
  ])("knows whose model %s is", (model, provider) => {
    const { config } = read(`{model_list: [{model_name: m, litellm_params: {model: ${model}}}]}`);
    expect(config.deployments[0]!.provider).toBe(provider);
  });

  it("says where fields for the provider belong", () => {
    expect(
      warningsOf("{model_list: [{model_name: m, litellm_params: {model: ollama/a, keep_alive: 8m}}]}"),
    ).toEqual([
      expect.stringMatching(
        /litellm_params.keep_alive: unknown key; fields for the provider's requests belong in extra_body$/,
      ),
    ]);
  });

  it("keeps only the hash of a key and reads what it may do", () => {
    const { config } = read(
      "{keys: [{key: sk-from-the-file, user_id: u, rpm_limit: 3, expires: 2027-01-01, models: [gpt-*]}]}",
    );
    expect(config.keys.find(sha256("sk-from-the-file"))?.principal).toMatchObject({
      userId: "u",
      limits: { rpm: 3 },
      models: ["gpt-*"],
    });
    expect(JSON.stringify(config)).not.toContain("sk-from-the-file");
    expect(keptOfKeys(config)).not.toContain("sk-from-the-file");
  });

  it.each(["metadata", "team_metadata"])("says that %s of a key names no destination of spans", (field) => {
    const text = `{keys: [{key: sk-from-the-file, ${field}: {note: 1, logging: [{callback_name: otel, secret: x-y-z}]}}]}`;
    expect(warningsOf(text)).toEqual([expect.stringContaining(`keys[0].${field}.logging: has no effect`)]);
    const { config } = read(text);
    expect(keptOfKeys(config)).toContain('"note":1');
    expect(JSON.stringify(config) + keptOfKeys(config)).not.toContain("x-y-z");
  });

  it("accepts an empty file", () => {
    expect(read("").config.deployments).toEqual([]);
  });
});

describe("Headers that name customers, and limits of all of them", () => {
  const general = (settings: string) => `general_settings: {${settings}}`;

  it("are read with LiteLLM's names and its second ones", () => {
    const { config } = read(
      `${general("user_header_mappings: {header_name: X-A, litellm_user_role: customer}, user_header_name: X-B")}
litellm_settings: {max_end_user_budget: 2, tag_budget_config: {a: {budget_limit: 1, time_period: 1d}, b: {rpm_limit: 3}}}`,
    );
    expect(config.generalSettings).toMatchObject({
      userHeaderMappings: [{ name: "x-a", role: "customer" }],
      userHeaderName: "x-b",
    });
    expect(config.gatewaySettings).toMatchObject({
      maxEndUserBudget: 2,
      tagBudgetConfig: { a: { maxBudget: 1, budgetDuration: "1d" }, b: { rpm: 3 } },
    });
  });

  it.each([
    "Authorization",
    ...GATEWAY_KEY_HEADERS,
    ...DIALECT_KEY_HEADERS,
    "X-Api-Key",
    "Cookie",
    "not a name",
    "",
  ])("refuse %j, whose value must not stand in logs or is none", (name) => {
    expect(errorsOf(general(`user_header_name: "${name}"`))[0]).toContain("a header that has no key");
    const mappings = `user_header_mappings: [{header_name: "${name}", litellm_user_role: customer}]`;
    expect(errorsOf(general(mappings))[0]).toContain("user_header_mappings[0].header_name");
  });

  it("refuse the header of keys", () => {
    const [error] = errorsOf(general("litellm_key_header_name: X-My-Key, user_header_name: x-my-key"));
    expect(error).toContain("x-my-key has keys");
  });

  it.each([
    ["{a: 1}", "tag_budget_config.a: expected a map of limits"],
    ["{a: {max_budgte: 1}}", "tag_budget_config.a.max_budgte: expected one of max_budget"],
    ["{a: {max_budget: -1}}", "tag_budget_config.a.max_budget: expected a number"],
    ["[]", "tag_budget_config: expected a map from names"],
  ])("refuse the limits %s of tags", (limits, message) => {
    expect(errorsOf(`litellm_settings: {tag_budget_config: ${limits}}`)[0]).toContain(message);
  });

  it("warn of what holds nobody", () => {
    const warnings = warningsOf(
      `${general("store: none, user_header_mappings: [{header_name: X-A, litellm_user_role: internal_user}]")}
litellm_settings: {max_end_user_budget_id: b, tag_budget_config: {a: {budget_duration: 1d}}}`,
    );
    expect(warnings).toEqual([
      expect.stringContaining("x-a is NOT ENFORCED here: calls count for the user of their key"),
      expect.stringContaining("max_end_user_budget_id: is NOT ENFORCED here"),
      expect.stringContaining("tag_budget_config.a: budget_duration has no effect without max_budget"),
    ]);
  });
});
