import type { JsonObject } from "../../contract/json.ts";
import { ownerIn } from "../../contract/owner-name.ts";
import { anonymous, type Principal } from "../../contract/principal.ts";
import type { ObjectRow } from "../../core/objects/objects-table.ts";
import type { BatchInputSummary } from "./batch-input.ts";

/** What the store keeps of a file whose bytes the gateway has; the `data` of its object. */
export interface StoredFile {
  /** In the storage. */
  readonly key: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly purpose: string;
  /** The models that a unified file is for; empty for files that only the gateway has. */
  readonly models: readonly string[];
  /** Of batch inputs. */
  readonly summary?: BatchInputSummary | undefined;
  /** Ids at the providers that got a copy, by deployment and model. */
  readonly copies: Readonly<Record<string, string>>;
}

/** What is kept of an object with these bytes; `undefined` for objects whose bytes are at a provider. */
export function storedFile(row: ObjectRow | undefined): StoredFile | undefined {
  if (row?.provider_id !== null) return undefined;
  return JSON.parse(row.data) as StoredFile;
}

/** What was seen of a batch's input when it was uploaded, wherever it is. */
export function batchInputSummary(row: ObjectRow | undefined): BatchInputSummary | undefined {
  return row === undefined ? undefined : (JSON.parse(row.data) as Pick<StoredFile, "summary">).summary;
}

/** The `file` object (OpenAI API reference: Files). */
export function fileObject(row: ObjectRow, file: StoredFile): JsonObject {
  return {
    id: row.id,
    object: "file",
    bytes: file.bytes,
    created_at: Math.floor(row.created_at / 1000),
    expires_at: row.expires_at === null ? null : Math.floor(row.expires_at / 1000),
    filename: file.filename,
    purpose: file.purpose,
    status: "processed",
    status_details: null,
    ...(file.models.length === 0 ? {} : { target_model_names: file.models }),
  };
}

/** The owner of an object, as far as ownership goes: enough to make further objects that belong to it. */
export function ownerOf(row: Pick<ObjectRow, "key_hash" | "user_id" | "team_id" | "tenant">): Principal {
  return {
    ...anonymous,
    keyHash: row.key_hash,
    userId: row.user_id ?? undefined,
    teamId: row.team_id ?? undefined,
    ...ownerIn(row.tenant),
  };
}
