import { GatewayError } from "../../contract/errors.ts";
import { defined, isJsonObject, type JsonObject } from "../../contract/json.ts";
import { anonymous, type Principal } from "../../contract/principal.ts";
import type { ObjectRow } from "../../core/objects/objects-table.ts";
import type { Origin, Ownership } from "../../core/objects/ownership.ts";
import { ownerOf } from "../files/stored-file.ts";

/** How a batch at a provider is shown to its owner. */
export interface ProviderBatch {
  /** The id that the caller knows. */
  readonly id: string;
  readonly origin: Origin;
  /** What the store keeps of it. */
  readonly row: ObjectRow | undefined;
}

/** How the gateway runs a batch itself that a provider took and then does not have. */
export interface Fallback {
  readonly endpoint: string;
  readonly completionWindow: string;
  readonly metadata: JsonObject | null;
  /** Seconds that the output files live. */
  readonly outputExpiresAfter: number | null;
  /** The gateway's name of the model, where the batch has one for all its rows. */
  readonly model: string | null;
  /** Whether the gateway may run its rows; else the batch fails. */
  readonly isAllowed: boolean;
}

/** A batch's fallback, with for whom it runs. */
export interface KeptFallback extends Fallback {
  readonly principal: Principal;
  readonly webhookUrl: string | null;
}

/** What is kept with a batch at a provider. */
interface NativeData {
  /** Members that the provider's answer gets in their place. */
  readonly shown?: { readonly input_file_id?: string };
  /** What its cost counts in beside its key, as that was when it was made. */
  readonly counts?: Pick<Principal, "scopes" | "modelScopes" | "named">;
  /** Whose it is, to be admitted again; absent with batches of earlier versions. */
  readonly by?: Principal;
  readonly fallback?: KeptFallback;
  /** Its owner cancelled it while the provider seemed not to have it. */
  readonly isCancelled?: boolean;
}

/** A batch that a provider has just made. */
interface MadeBatch {
  readonly principal: Principal;
  readonly origin: Origin;
  /** The input file as the caller named it. */
  readonly inputFileId: string;
  /** Absent where nothing can be run here. */
  readonly kept?: KeptFallback;
}

/**
 * The id of a batch that a provider has just made.
 * @throws GatewayError 501 for an answer without one: a host that answers every path alike has no batches
 */
export function madeBatchId({ id }: JsonObject): string {
  if (typeof id === "string" && id !== "") return id;
  const text = "The provider answered a new batch without an id, as a host does that has no batches";
  throw new GatewayError(501, "api_error", text, { retryable: false });
}

/** Notes whose a new batch is; the provider's `batch` object with the ids that the caller knows. */
export async function registerBatch(
  ownership: Ownership,
  answer: JsonObject,
  { principal, origin, inputFileId, kept }: MadeBatch,
): Promise<JsonObject & { id: string }> {
  const shown = { input_file_id: inputFileId };
  const { scopes, modelScopes, named } = principal;
  const data = {
    shown,
    counts: { scopes, modelScopes, named },
    by: whoever(principal),
    ...(kept && { fallback: kept }),
  };
  const id = await ownership.register("batch", principal, origin, String(answer.id), { data });
  return { ...answer, ...(await resultFiles(ownership, answer, origin, principal)), ...shown, id };
}

/** What says of a principal who it is, without what it may and what limits it, which is looked up. */
function whoever({
  keyHash,
  userId,
  teamId,
  organizationId,
  customerId,
  token,
  named,
}: Principal): Principal {
  return { ...anonymous, ...defined({ keyHash, userId, teamId, organizationId, customerId, token, named }) };
}

export function nativeData(row: ObjectRow): NativeData {
  return JSON.parse(row.data) as NativeData;
}

/** Whom a batch's cost counts for. */
export function spenderOf(row: ObjectRow): Principal {
  const { counts = {} } = nativeData(row);
  return { ...ownerOf(row), ...counts };
}

/** The provider's `batch` object with the ids that the caller knows. */
export async function providerBatch(
  ownership: Ownership,
  answer: JsonObject,
  { id, origin, row }: ProviderBatch,
): Promise<JsonObject> {
  if (row === undefined) return { ...answer, id };
  const { shown = {} } = nativeData(row);
  return { ...answer, ...(await resultFiles(ownership, answer, origin, ownerOf(row))), ...shown, id };
}

/** The result files' ids as ours; they belong to the batch's owner from the moment they are seen. */
export async function resultFiles(
  ownership: Ownership,
  answer: JsonObject,
  origin: Origin,
  owner: Principal,
): Promise<JsonObject> {
  const ids: JsonObject = {};
  for (const name of ["output_file_id", "error_file_id"]) {
    const raw = answer[name];
    if (typeof raw !== "string" || raw === "") continue;
    ids[name] = await ownership.register("file", owner, origin, raw, { data: { purpose: "batch_output" } });
  }
  return ids;
}

/** A provider's page of batches with the result files' ids as ours; the batches keep the provider's ids. */
export async function withResultFiles(
  ownership: Ownership,
  page: JsonObject,
  origin: Origin,
): Promise<JsonObject> {
  const items = Array.isArray(page.data) ? page.data.filter(isJsonObject) : [];
  const rows = await ownership.rowsOf(
    "batch",
    items.map((item) => String(item.id)),
    origin,
  );
  const data = await Promise.all(
    items.map(async (item) => {
      const row = rows.get(String(item.id));
      if (row === undefined) return item;
      return { ...item, ...(await resultFiles(ownership, item, origin, ownerOf(row))) };
    }),
  );
  return { ...page, data };
}
