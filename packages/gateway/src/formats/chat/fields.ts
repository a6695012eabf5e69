import { amount, either, flag, list, object, orNull, text, whole, word } from "../../contract/schema.ts";

/** A message of a chat completion, asked or answered. */
export const chatMessage = object({
  "role!": word(["user", "assistant", "system", "developer", "tool", "function"]),
  content: orNull(either(text(), list(object({ "type!": text() })))),
  tool_calls: orNull(list(object())),
  tool_call_id: text(),
});

const functionTool = { type: "function", function: { name: "look_up", parameters: { type: "object" } } };
const choice = orNull(
  either(word(["auto", "none", "required"]), object({}, "One of the tools, or some of them.")),
);

/**
 * The fields of a chat completion request (OpenAI API reference, "Create chat completion"): the one list from which come
 * `/openapi.json` and what `drop_params` leaves in.
 */
export const chatFields = {
  "model!": text("A name of the model list, an alias, or a deployment's id."),
  "messages!": list(chatMessage, undefined, { examples: [[{ role: "user", content: "Hello" }]] }),
  stream: orNull(flag("Answer with server-sent events.")),
  stream_options: orNull(object({ include_usage: flag() })),
  temperature: orNull(amount()),
  top_p: orNull(amount()),
  n: orNull(whole("Answers wanted; providers of other formats give one.", { minimum: 1 })),
  stop: orNull(either(text(), list(text()))),
  max_tokens: orNull(whole("Called `max_completion_tokens` by now.", { minimum: 1 })),
  max_completion_tokens: orNull(whole(undefined, { minimum: 1 })),
  presence_penalty: orNull(amount()),
  frequency_penalty: orNull(amount()),
  logit_bias: orNull(object()),
  logprobs: orNull(flag()),
  top_logprobs: orNull(whole()),
  user: orNull(text("Counts as the end user in the provider's abuse checks.")),
  seed: orNull(whole()),
  tools: orNull(list(object({ "type!": text() }), undefined, { examples: [[functionTool]] })),
  tool_choice: choice,
  parallel_tool_calls: orNull(flag()),
  functions: orNull(list(object({ "name!": text() }), "Deprecated by `tools`.")),
  function_call: choice,
  response_format: orNull(object({ "type!": word(["text", "json_object", "json_schema"]) })),
  reasoning_effort: orNull(
    text("`none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`, as far as the model has it."),
  ),
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
