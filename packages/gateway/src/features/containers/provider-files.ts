import { check } from "../../contract/check.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { given, list, text } from "../../contract/schema.ts";
import { referencesIn } from "../../core/call/request-references.ts";
import { kindOfObject } from "../../core/objects/owned-references.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { FileService } from "../files/file-service.ts";
import { providerFileId } from "../files/provider-file-id.ts";

const namedFiles = given({ file_id: text(), file_ids: list(text()) });

/** Containers may be filled with uploaded files. */
export interface ContainerDeps extends ResourceDeps {
  readonly files: FileService;
}

/**
 * A body whose `file_ids` or `file_id` are the provider's own in place of those that the gateway handed out.
 * @throws GatewayError 400 for anything but text, 404 for a file or a skill that does not exist or belongs to somebody
 * else
 */
export async function withProviderFiles(
  { files, ownership }: ContainerDeps,
  body: JsonObject,
  origin: Origin,
  exchange: Exchange,
): Promise<JsonObject> {
  const { file_id: one, file_ids: many } = check(namedFiles, body);
  for (const { kind, id } of referencesIn(body))
    if (kind !== "file") await ownership.locate(kindOfObject(kind), id, exchange.principal);
  const translate = (id: string): Promise<string> => providerFileId(files, id, origin, exchange);
  return {
    ...body,
    ...(one == null ? {} : { file_id: await translate(one) }),
    ...(many == null ? {} : { file_ids: await Promise.all(many.map(translate)) }),
  };
}
