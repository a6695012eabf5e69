import { amount, either, flag, list, object, orNull, text, whole } from "../../contract/schema.ts";

const content = either(text(), list(object({ "type!": text() })));

/** What a message and a count of its tokens share. */
export const promptFields = {
  "model!": text("A name of the model list, an alias, or a deployment's id."),
  "messages!": list(object({ "role!": text("`user` or `assistant`"), "content!": content })),
  system: orNull(content),
  tools: orNull(list(object())),
  tool_choice: orNull(object()),
  thinking: orNull(object()),
};

/**
 * The fields of a Messages request (Anthropic API reference, "Create a Message"): the one list from which come
 * `/openapi.json` and what `drop_params` leaves in.
 */
export const messagesFields = {
  ...promptFields,
  max_tokens: whole(),
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
  output_format: orNull(object()),
};
