import { GatewayError, invalidRequest } from "../../../contract/errors.ts";
import type { HookRunner } from "../../../core/hooks/hook-runner.ts";
import { batchRows } from "../../files/batch-input.ts";

/**
 * Whether the guard would change rows of a file that it has not gone over: one that was not uploaded here, or before the
 * guard said so. A provider runs its rows as they are, so that only the gateway can run them masked.
 * @throws GatewayError 400 for a row that the guard refuses, and for a line that is no request
 */
export async function guardChangesRows(
  hooks: Pick<HookRunner, "has" | "guardData">,
  content: () => Promise<AsyncIterable<Buffer>>,
): Promise<boolean> {
  if (!hooks.has("guardData")) return false;
  let isChanged = false;
  for await (const { row, line } of batchRows(await content())) {
    try {
      isChanged = hooks.guardData(row.body) !== row.body || isChanged;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      throw invalidRequest(`Line ${line.number}: ${error.message}`, "input_file_id");
    }
  }
  return isChanged;
}

/** The refusal of a batch whose rows a provider would run as they are. */
export function onlyMasked(): GatewayError {
  return invalidRequest(
    "The gateway's guard masks texts in this file, which it has not gone over yet; upload it to the gateway with the purpose 'batch'",
    "input_file_id",
  );
}
