import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { FileService } from "../files/file-service.ts";
import { providerFileId } from "../files/provider-file-id.ts";

/** Containers may be filled with uploaded files. */
export interface ContainerDeps extends ResourceDeps {
  readonly files: FileService;
}

/**
 * A body whose `file_ids` or `file_id` are the provider's own in place of those that the gateway handed out.
 * @throws GatewayError 400 for anything but text, 404 for a file that does not exist or belongs to somebody else
 */
export async function withProviderFiles(
  { files }: ContainerDeps,
  body: JsonObject,
  origin: Origin,
  exchange: Exchange,
): Promise<JsonObject> {
  const { file_id: one, file_ids: many } = body;
  const translate = (id: unknown, field: string): Promise<string> => {
    if (typeof id !== "string") throw invalidRequest(`${field} must name files by their ids`, field);
    return providerFileId(files, id, origin, exchange);
  };
  const changed: JsonObject = { ...body };
  if (one !== undefined && one !== null) changed.file_id = await translate(one, "file_id");
  if (many === undefined || many === null) return changed;
  if (!Array.isArray(many)) throw invalidRequest("file_ids must be a list", "file_ids");
  changed.file_ids = await Promise.all(many.map((id: unknown) => translate(id, "file_ids")));
  return changed;
}
