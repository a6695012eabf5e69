import { type GatewayError, invalidRequest } from "../../../contract/errors.ts";
import { namedBy } from "../../../contract/naming-request.ts";
import { addedScopes, type Principal } from "../../../contract/principal.ts";
import type { RequestScopes } from "../../../core/auth/request-scopes.ts";
import { batchRows } from "../../files/batch-input.ts";

/** Different customers and tags of a batch that are looked up before it is created; one with more runs row by row. */
const MAX_LOOKED_UP = 1000;

/**
 * Whether rows name customers or tags that have limits and are not those of the batch: a provider runs all rows and tells
 * what they cost together, so that only the gateway, which asks for each row, can hold them.
 * @throws GatewayError 403 for a customer that is blocked
 */
export async function rowsNameLimited(
  scopes: RequestScopes | undefined,
  principal: Principal,
  content: () => Promise<AsyncIterable<Buffer>>,
): Promise<boolean> {
  if (scopes?.named === undefined) return false;
  const seen = new Set<string>();
  for await (const { row } of batchRows(await content())) {
    const request = { headers: {}, body: row.body };
    const name = JSON.stringify(namedBy(principal, request));
    if (seen.has(name)) continue;
    if (seen.size === MAX_LOOKED_UP) return true;
    seen.add(name);
    const added = addedScopes(await scopes.named.scoped(principal, request), principal);
    if (added.some(({ limits }) => Object.keys(limits).length > 0)) return true;
  }
  return false;
}

/** The refusal of a batch that has to be run by its provider although its rows name what only the gateway can hold. */
export function onlyRowByRow(): GatewayError {
  return invalidRequest(
    "Rows name customers or tags with limits of their own, which hold only where the gateway runs the batch; leave out execution",
    "input_file_id",
  );
}
