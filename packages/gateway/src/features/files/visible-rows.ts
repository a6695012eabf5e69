import { GatewayError, invalidRequest, notFound } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import { kindOfObject } from "../../core/objects/owned-references.ts";
import type { Ownership } from "../../core/objects/ownership.ts";
import type { RowReference } from "./batch-input.ts";

/**
 * Looks at what the rows of a batch name: providers get rows as they are.
 * @throws GatewayError 400 with the line of one that names what does not exist or is another tenant's
 */
export async function requireVisibleRows(
  ownership: Ownership,
  references: readonly RowReference[],
  principal: Principal,
): Promise<void> {
  const items = references.filter(({ kind }) => kind === "item").map(({ id }) => id);
  const foreign = await ownership.foreignItems(items, ownership.tenantOf(principal));
  const requireVisible = async ({ kind, id }: RowReference): Promise<void> => {
    if (kind !== "item") await ownership.locate(kindOfObject(kind), id, principal);
    else if (foreign.has(id)) throw notFound(`No item found with id '${id}'`);
  };
  for (const reference of references)
    await requireVisible(reference).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error;
      throw invalidRequest(`Invalid batch input: line ${reference.line}: ${error.message}`, "file");
    });
}
