import type { Principal } from "../../contract/principal.ts";
import { readLiteLlmId } from "../../core/objects/litellm-id.ts";
import type { ResponseDeps } from "./response-deps.ts";
import type { ResponseRow } from "./table.ts";

/**
 * What the gateway stores of a response, by the id that it handed out, by the provider's own or by LiteLLM's form of
 * that. Of several with one provider id the caller's own is meant; whether the caller may see it is still to be asked.
 */
export async function findStored(
  { state, ownership }: ResponseDeps,
  id: string,
  principal: Principal,
): Promise<ResponseRow | undefined> {
  if (state === undefined) return undefined;
  const row = await state.responses.find(id);
  if (row !== undefined || !ownership.allowsProviderIds) return row;
  const providerId = readLiteLlmId(id)?.providerId ?? id;
  const rows = await state.responses.findByProviderIds([providerId]);
  const own = ownership.tenantOf(principal);
  return rows.find(({ tenant }) => tenant === own) ?? rows[0];
}
