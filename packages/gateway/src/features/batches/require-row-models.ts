import { requireModel } from "../../contract/model-permission.ts";
import type { Principal } from "../../contract/principal.ts";
import { isBlank, MAX_LINE, readBatchRow } from "../files/batch-input.ts";
import { linesOf } from "../files/split-lines.ts";

/**
 * Looks at the models that a batch's rows name, before a provider runs them without asking the gateway again. Rows that
 * the gateway runs, or writes anew, need no look.
 * @param content the input file; not read for keys that may call every model
 * @param granted the provider's name of a model that the key may call under another name
 * @throws GatewayError 403 for a model that the key may not call, 400 for a line that is no request
 */
export async function requireRowModels(
  principal: Principal,
  content: () => Promise<AsyncIterable<Buffer>>,
  granted: string | undefined,
): Promise<void> {
  if (principal.models.length === 0) return;
  const seen = new Set<unknown>([granted, undefined]);
  for await (const { bytes, number } of linesOf(await content(), MAX_LINE)) {
    if (isBlank(bytes)) continue;
    const { model } = readBatchRow(bytes, number).body;
    if (seen.has(model)) continue;
    requireModel(principal, String(model));
    seen.add(model);
  }
}
