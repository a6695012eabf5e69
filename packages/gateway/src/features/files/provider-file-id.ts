import type { Principal } from "../../contract/principal.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";
import type { FileService } from "./file-service.ts";

/**
 * A provider's own id of a file that a caller names by ours; a file that only the gateway has is sent there first.
 * @throws GatewayError 404 for a file that does not exist or belongs to somebody else
 */
export async function providerFileId(
  files: FileService,
  id: string,
  origin: Origin,
  { principal, ...context }: ResourceContext & { readonly principal: Principal },
): Promise<string> {
  const located = await files.locate(id, principal, context.call);
  if (located.row === undefined || located.row.provider_id !== null) return located.providerId ?? id;
  return files.copyAt(located.row, origin, undefined, context);
}
