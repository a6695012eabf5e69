import { amount, either, flag, list, object, orNull, text, whole, word } from "../../contract/schema.ts";

const id = text(undefined, { minLength: 1, maxLength: 1024 });

/**
 * The fields of a Responses request (OpenAI API reference, "Create a model response"): the one list from which come
 * `/openapi.json` and what `drop_params` leaves in.
 */
export const responsesFields = {
  "model!": text("A name of the model list, an alias, or a deployment's id."),
  input: orNull(either(text(), list(object()))),
  instructions: orNull(text()),
  stream: orNull(flag("Answer with server-sent events.")),
  stream_options: orNull(object()),
  temperature: orNull(amount()),
  top_p: orNull(amount()),
  max_output_tokens: orNull(whole(undefined, { minimum: 1 })),
  max_tool_calls: orNull(whole()),
  tools: orNull(
    list(
      object({ "type!": text() }),
      "Functions, custom tools, namespaces, and tools that the provider runs.",
      {
        examples: [[{ type: "function", name: "look_up", parameters: { type: "object" } }]],
      },
    ),
  ),
  tool_choice: orNull(either(word(["none", "auto", "required"]), object())),
  parallel_tool_calls: orNull(flag()),
  reasoning: orNull(
    object({
      effort: orNull(word(["none", "minimal", "low", "medium", "high", "xhigh", "max"])),
      summary: orNull(word(["auto", "concise", "detailed"])),
    }),
  ),
  text: orNull(
    object({
      format: orNull(
        object({ "type!": word(["text", "json_object", "json_schema"]) }, "How the answer is written."),
      ),
      verbosity: orNull(word(["low", "medium", "high"])),
    }),
  ),
  truncation: orNull(word(["auto", "disabled"])),
  user: orNull(text()),
  metadata: orNull(object()),
  store: orNull(flag("Whether the response can be retrieved and continued; true without a word.")),
  background: orNull(flag("Answer at once and go on in the background.")),
  include: orNull(list(text())),
  previous_response_id: orNull(id),
  conversation: orNull(either(id, object({ "id!": id }))),
  prompt: orNull(object()),
  prompt_cache_key: orNull(text()),
  prompt_cache_retention: orNull(text()),
  safety_identifier: orNull(text()),
  service_tier: orNull(word(["auto", "default", "flex", "scale", "priority"])),
  top_logprobs: orNull(whole()),
  context_management: orNull(either(object(), list(object()))),
  client_metadata: orNull(object({}, "Codex's notes about itself; reach OpenAI and Azure only.")),
};
