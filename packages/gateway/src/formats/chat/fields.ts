import { amount, either, flag, list, object, orNull, text, whole, word } from "../../contract/schema.ts";

/** A message of a chat completion, asked or answered. */
export const chatMessage = object({
  "role!": text("`system`, `developer`, `user`, `assistant` or `tool`"),
  content: orNull(either(text(), list(object({ "type!": text() })))),
  tool_calls: list(object()),
  tool_call_id: text(),
});

/**
 * The fields of a chat completion request (OpenAI API reference, "Create chat completion"): the one list from which come
 * `/openapi.json` and what `drop_params` leaves in.
 */
export const chatFields = {
  "model!": text("A name of the model list, an alias, or a deployment's id."),
  "messages!": list(chatMessage),
  stream: orNull(flag("Answer with server-sent events.")),
  stream_options: orNull(object({ include_usage: flag() })),
  temperature: orNull(amount()),
  top_p: orNull(amount()),
  n: orNull(whole("Answers wanted; providers of other formats give one.")),
  stop: orNull(either(text(), list(text()))),
  max_tokens: orNull(whole()),
  max_completion_tokens: orNull(whole()),
  presence_penalty: orNull(amount()),
  frequency_penalty: orNull(amount()),
  logit_bias: orNull(object()),
  logprobs: orNull(flag()),
  top_logprobs: orNull(whole()),
  user: orNull(text("Counts as the end user in the provider's abuse checks.")),
  seed: orNull(whole()),
  tools: orNull(list(object())),
  tool_choice: orNull(either(text(), object())),
  parallel_tool_calls: orNull(flag()),
  functions: orNull(list(object(), "Deprecated by `tools`.")),
  function_call: orNull(either(text(), object())),
  response_format: orNull(object()),
  reasoning_effort: orNull(word(["none", "minimal", "low", "medium", "high", "xhigh", "max"])),
  modalities: orNull(list(text())),
  audio: orNull(object()),
  prediction: orNull(object()),
  metadata: orNull(object()),
  store: orNull(flag()),
  service_tier: orNull(text()),
  web_search_options: orNull(object({}, "The provider's own search in the web, where it has one.")),
  verbosity: orNull(text()),
  safety_identifier: orNull(text()),
  prompt_cache_key: orNull(text()),
  prompt_cache_retention: orNull(text()),
};
