import type { JsonObject } from "../../../contract/json.ts";

/** Parameters of an agent that go into each of its model calls as they are. */
const passedOn = [
  "temperature",
  "top_p",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "seed",
  "frequency_penalty",
  "presence_penalty",
  "reasoning_effort",
  "response_format",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
] as const;

/** An agent built from a model of the router. */
export interface LocalSettings {
  readonly model: string;
  /** The system prompt. */
  readonly instructions: string | undefined;
  readonly options: JsonObject;
}

/** What an agent's `gateway_params` say about its model; `undefined` for agents that have none. */
export function localSettings(params: JsonObject): LocalSettings | undefined {
  const { model, instructions } = params;
  if (typeof model !== "string" || model === "") return undefined;
  const options: JsonObject = {};
  for (const name of passedOn)
    if (params[name] !== undefined && params[name] !== null) options[name] = params[name];
  return { model, instructions: typeof instructions === "string" ? instructions : undefined, options };
}
