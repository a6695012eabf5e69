import type { JsonObject } from "../../../contract/json.ts";
import { upstreamPath } from "../../../contract/upstream-path.ts";
import type { AddressedObject } from "../../../core/objects/locate-origin.ts";
import type { ResourceContext } from "../../../core/objects/resource-client.ts";
import { ownerOf } from "../../files/stored-file.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { BATCH_COST, internalContext } from "../batch-spend.ts";

/** Statuses that a provider's batch does not leave. */
const over = new Set(["completed", "failed", "expired", "cancelled"]);
export const resultNames = ["output_file_id", "error_file_id"] as const;

/** A batch at a provider that this gateway made; `undefined` when nothing is known of it, or the gateway has it now. */
export async function locateWatched(deps: BatchDeps, id: string): Promise<AddressedObject | undefined> {
  const row = await deps.objects?.find(id);
  if (row === undefined || (await deps.batches.find(id)) !== undefined) return undefined;
  const { origin, providerId } = await deps.ownership.locate("batch", id, ownerOf(row));
  if (origin === undefined || providerId === undefined) return undefined;
  return { id, row, origin, providerId, targetModels: [] };
}

/** A provider's `batch` object. */
interface SeenBatch {
  readonly answer: JsonObject;
  readonly isOver: boolean;
}

/** @throws GatewayError as the provider answers */
export async function seenBatch(
  deps: BatchDeps,
  { providerId, origin }: AddressedObject,
  context: ResourceContext,
): Promise<SeenBatch> {
  const path = upstreamPath`/batches/${providerId}`;
  const answer = await deps.files.client.json(origin, { method: "GET", path }, context);
  return { answer, isOver: isOver(answer) };
}

/**
 * Asks a batch's provider; of one that is over each result file too.
 * @throws GatewayError as the provider answers
 */
export async function lookAt(
  deps: BatchDeps,
  batch: AddressedObject,
  signal: AbortSignal,
): Promise<SeenBatch> {
  const context = internalContext(BATCH_COST, signal);
  const seen = await seenBatch(deps, batch, context);
  await requireResults(deps, batch, seen.answer, context);
  return seen;
}

/**
 * Asks for each result file of a batch that is over.
 * @throws GatewayError as the provider answers
 */
export async function requireResults(
  deps: Pick<BatchDeps, "files">,
  { origin }: AddressedObject,
  answer: JsonObject,
  context: ResourceContext,
): Promise<void> {
  if (!isOver(answer)) return;
  for (const name of resultNames) {
    const file = answer[name];
    if (typeof file !== "string" || file === "") continue;
    const path = upstreamPath`/files/${file}/content`;
    (await deps.files.client.request(origin, { method: "GET", path }, context)).body.cancel();
  }
}

/** Whether a provider's batch is in a status that it does not leave. */
export function isOver({ status }: JsonObject): boolean {
  return over.has(String(status));
}
