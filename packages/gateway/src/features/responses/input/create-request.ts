import { check } from "../../../contract/check.ts";
import { invalidRequest } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { object } from "../../../contract/schema.ts";
import { isUpstreamName } from "../../../contract/upstream-path.ts";
import { checkMetadata, withoutTags } from "../../../formats/metadata.ts";
import { responsesFields } from "../../../formats/responses/fields.ts";

/** What a create request says beside what the model gets. */
export interface CreateRequest {
  readonly body: JsonObject;
  readonly previousId: string | undefined;
  readonly conversationId: string | undefined;
  /** Whether it is to be kept; the default. */
  readonly store: boolean;
  readonly background: boolean;
  readonly stream: boolean;
}

const { input, previous_response_id, conversation, store, background, stream, truncation } = responsesFields;

/** What the gateway itself acts on; the model's provider checks the rest. */
const actedOn = object({
  input,
  previous_response_id,
  conversation,
  store,
  background,
  stream,
  truncation,
});

/** @throws GatewayError 400 naming the field at fault */
export function readResponseRequest(body: JsonObject): CreateRequest {
  const { previous_response_id: previousId, conversation, ...given } = check(actedOn, body);
  const conversationId = isJsonObject(conversation) ? conversation.id : conversation;
  if (previousId != null && conversationId != null)
    throw invalidRequest(
      "previous_response_id and conversation exclude each other; give only one of them",
      "conversation",
    );
  requireId(previousId, "previous_response_id");
  requireId(conversationId, "conversation");
  const store = given.store ?? true;
  const background = given.background ?? false;
  if (background && !store) throw invalidRequest("background requires store to be true", "store");
  checkMetadata(withoutTags(body.metadata));
  return {
    body,
    previousId: previousId ?? undefined,
    conversationId: conversationId ?? undefined,
    store,
    background,
    stream: given.stream ?? false,
  };
}

/** An id that could be none in a provider's address is none in a body either, and none has white space. */
function requireId(id: string | null | undefined, param: string): void {
  if (id != null && (/\s/.test(id) || !isUpstreamName(id)))
    throw invalidRequest(`${param} must be an id`, param);
}
