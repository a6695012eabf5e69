import { MASTER_KEY } from "../support/gateway.ts";

/** Keys of the load with whom they belong to. */
export const callers = [
  { key: "sk-telemetry-red-0123456789", alias: "red", team: "t1" },
  { key: "sk-telemetry-green-0123456789", alias: "green", team: "t1" },
  { key: "sk-telemetry-blue-0123456789", alias: "blue", team: "t2" },
] as const;

/** Deployments by the names that callers use, each of a model that no other one has. */
export const upstreamModels = {
  oa: ["openai/gpt-4o", "/openai/v1"],
  claude: ["anthropic/claude-sonnet-4", "/anthropic"],
  gem: ["gemini/gemini-2.5-flash", "/google"],
  vllm: ["hosted_vllm/qwen3", "/compat/v1"],
  flaky: ["openai/flaky-model", "/openai/v1"],
  broken: ["openai/broken-model", "/openai/v1"],
  missing: ["openai/unknown-model", "/openai/v1"],
  embed: ["openai/text-embedding-3-small", "/openai/v1"],
} as const;

/** What makes some of the deployments fail, as rules of the simulator. */
export const faults = [
  { model: "broken-model", times: "forever", fault: "status=500" },
  { model: "flaky-model", fault: "status=503" },
] as const;

/** @param hooks path of a hook module */
export function loadConfig(simulator: string, hooks: string): string {
  const models = Object.entries(upstreamModels).map(
    ([name, [model, path]]) =>
      `  - {model_name: ${name}, model_info: {id: d-${name}}, litellm_params: {model: ${model}, api_key: k, api_base: "${simulator}${path}", input_cost_per_token: 0.001, output_cost_per_token: 0.002}}`,
  );
  const keys = callers.map(
    ({ key, alias, team }) => `  - {key: ${key}, key_alias: ${alias}, team_id: ${team}}`,
  );
  return `
model_list:
${models.join("\n")}
keys:
${keys.join("\n")}
router_settings: {num_retries: 1, retry_after: 0, disable_cooldowns: true, fallbacks: [{broken: [oa]}]}
litellm_settings:
  callbacks: [prometheus, otel, "${hooks}"]
  forward_traceparent_to_llm_provider: true
  cache: true
  cache_params: {type: local, mode: default_off}
general_settings: {master_key: ${MASTER_KEY}}
`;
}

/** One call of the load. */
export interface LoadCall {
  readonly path: string;
  readonly body: object;
  readonly caller: (typeof callers)[number];
  readonly tag: string;
}

const texts = ["oa", "claude", "gem", "vllm"] as const;

/** The call of this number: every format, whole and streamed, on each kind of provider, and whatever goes wrong. */
export function callOf(index: number): LoadCall {
  const kinds = Object.values(kindsOfCalls);
  const kind = kinds[index % kinds.length]!;
  const round = Math.floor(index / kinds.length);
  const tag = `tag-${index % 5}`;
  const request = kind(texts[round % texts.length]!, `question ${index}`);
  return { ...request, caller: callers[round % callers.length]!, tag };
}

type Kind = (model: string, text: string) => Pick<LoadCall, "path" | "body">;

const chat =
  (more: object = {}, of?: string): Kind =>
  (model, text) => ({
    path: "/v1/chat/completions",
    body: { model: of ?? model, messages: [{ role: "user", content: text }], ...more },
  });
const messages =
  (more: object = {}): Kind =>
  (model, text) => ({
    path: "/v1/messages",
    body: { model, max_tokens: 500, messages: [{ role: "user", content: text }], ...more },
  });
const responses =
  (more: object = {}): Kind =>
  (model, text) => ({ path: "/v1/responses", body: { model, input: text, ...more } });
const gemini =
  (method: string): Kind =>
  (model, text) => ({
    path: `/v1beta/models/${model}:${method}`,
    body: { contents: [{ role: "user", parts: [{ text }] }] },
  });

const kindsOfCalls: Readonly<Record<string, Kind>> = {
  chat: chat(),
  "streamed chat": chat({ stream: true }),
  "a long streamed chat": (model, text) => chat({ stream: true })(model, `${text} [[sim:tokens 300]]`),
  messages: messages(),
  "streamed messages": messages({ stream: true }),
  responses: responses(),
  "streamed responses": responses({ stream: true }),
  "Gemini's": gemini("generateContent"),
  "Gemini's, streamed": gemini("streamGenerateContent?alt=sse"),
  embeddings: (_, text) => ({ path: "/v1/embeddings", body: { model: "embed", input: text } }),
  "a cached chat": () => chat({ cache: { "use-cache": true } })("oa", "the same question each time"),
  "retried chat": chat({}, "flaky"),
  "a stream with a fallback": chat({ stream: true }, "broken"),
  "what the provider has no model for": chat({}, "missing"),
  "what no deployment serves": chat({}, "nobody"),
};

/** How many kinds of calls there are. */
export const kinds = Object.keys(kindsOfCalls).length;
