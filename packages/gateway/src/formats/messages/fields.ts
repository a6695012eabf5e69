import { amount, either, flag, list, object, orNull, text, whole, word } from "../../contract/schema.ts";

const content = either(text(), list(object({ "type!": text() })));

/** What a message and a count of its tokens share. */
export const promptFields = {
  "model!": text("A name of the model list, an alias, or a deployment's id."),
  "messages!": list(object({ "role!": word(["user", "assistant"]), "content!": content }), undefined, {
    examples: [[{ role: "user", content: "Hello" }]],
  }),
  system: orNull(either(text(), list(object({ "text!": text() })))),
  tools: orNull(
    list(object({ "name!": text() }), undefined, {
      examples: [[{ name: "look_up", input_schema: { type: "object" } }]],
    }),
  ),
  tool_choice: orNull(object({ "type!": word(["auto", "any", "tool", "none"]) })),
  thinking: orNull(
    object({
      "type!": text("`enabled` with `budget_tokens`, `adaptive` or `disabled`.", { examples: ["disabled"] }),
    }),
  ),
};

/**
 * The fields of a Messages request (Anthropic API reference, "Create a Message"): the one list from which come
 * `/openapi.json` and what `drop_params` leaves in.
 */
export const messagesFields = {
  ...promptFields,
  max_tokens: whole("Needed where the model's provider speaks another format.", { minimum: 1 }),
  stream: orNull(flag("Answer with server-sent events.")),
  temperature: orNull(amount()),
  top_p: orNull(amount()),
  top_k: orNull(whole()),
  stop_sequences: orNull(list(text())),
  metadata: orNull(object({ user_id: orNull(text()) })),
  service_tier: orNull(text()),
  container: orNull(either(text(), object())),
  context_management: orNull(object()),
  mcp_servers: orNull(list(object())),
  thread: orNull(object({}, "Anthropic's message threads; refused where the model's provider keeps none.")),
  output_config: orNull(object()),
  output_format: orNull(
    object({ "type!": word(["json_schema"]), "schema!": object() }, "`output_config.format` by now."),
  ),
};
