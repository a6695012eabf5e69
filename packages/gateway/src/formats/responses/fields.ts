import { amount, either, flag, list, object, orNull, text, whole } from "../../contract/schema.ts";

/**
 * The fields of a Responses request (OpenAI API reference, "Create a model response"): the one list from which come
 * `/openapi.json` and what `drop_params` leaves in.
 */
export const responsesFields = {
  "model!": text("A name of the model list, an alias, or a deployment's id."),
  input: either(text(), list(object())),
  instructions: orNull(text()),
  stream: orNull(flag("Answer with server-sent events.")),
  stream_options: orNull(object()),
  temperature: orNull(amount()),
  top_p: orNull(amount()),
  max_output_tokens: orNull(whole()),
  max_tool_calls: orNull(whole()),
  tools: orNull(list(object(), "Functions, custom tools, namespaces, and tools that the provider runs.")),
  tool_choice: orNull(either(text(), object())),
  parallel_tool_calls: orNull(flag()),
  reasoning: orNull(object({ effort: orNull(text()), summary: orNull(text()) })),
  text: orNull(object({ format: object(), verbosity: orNull(text()) })),
  truncation: orNull(text()),
  user: orNull(text()),
  metadata: orNull(object()),
  store: orNull(flag("Whether the response can be retrieved and continued; true without a word.")),
  background: orNull(flag("Answer at once and go on in the background.")),
  include: orNull(list(text())),
  previous_response_id: orNull(text()),
  conversation: orNull(either(text(), object())),
  prompt: orNull(object()),
  prompt_cache_key: orNull(text()),
  prompt_cache_retention: orNull(text()),
  safety_identifier: orNull(text()),
  service_tier: orNull(text()),
  top_logprobs: orNull(whole()),
  context_management: orNull(either(object(), list(object()))),
  client_metadata: orNull(object({}, "Codex's notes about itself; reach OpenAI and Azure only.")),
};
