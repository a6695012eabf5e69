import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optional, readName } from "../../formats/fields.ts";
import { checkMetadata } from "../../formats/shared/check-metadata.ts";
import { withoutTags } from "../../formats/shared/metadata-tags.ts";

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

const readTruncation = readName(["auto", "disabled"]);

/** @throws GatewayError 400 naming the field at fault */
export function readResponseRequest(body: JsonObject): CreateRequest {
  const previousId = readId(body.previous_response_id, "previous_response_id");
  const { conversation } = body;
  const conversationId = readId(isJsonObject(conversation) ? conversation.id : conversation, "conversation");
  if (previousId !== undefined && conversationId !== undefined)
    throw invalidRequest(
      "previous_response_id and conversation exclude each other; give only one of them",
      "conversation",
    );
  const store = readFlag(body.store, "store") ?? true;
  const background = readFlag(body.background, "background") ?? false;
  if (background && !store) throw invalidRequest("background requires store to be true", "store");
  const { input } = body;
  if (input !== undefined && input !== null && typeof input !== "string" && !Array.isArray(input))
    throw invalidRequest("input must be text or a list of items", "input");
  optional(readTruncation, body.truncation, "truncation");
  checkMetadata(withoutTags(body.metadata));
  const stream = readFlag(body.stream, "stream") ?? false;
  return { body, previousId, conversationId, store, background, stream };
}

function readId(value: unknown, param: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value === "" || value.length > 1024)
    throw invalidRequest(`${param} must be an id`, param);
  return value;
}

function readFlag(value: unknown, param: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw invalidRequest(`${param} must be true or false`, param);
  return value;
}
