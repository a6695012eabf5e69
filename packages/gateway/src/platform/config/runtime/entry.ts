import type { JsonObject } from "../../../contract/json.ts";
import type { SealedText } from "../../store/sealed-text.ts";
import type { ConfigEntryKind, ConfigEntryRow } from "./table.ts";

/** A row with its body opened. */
export interface ConfigEntry {
  readonly kind: ConfigEntryKind;
  readonly name: string;
  readonly body: JsonObject;
  readonly revision: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

/** The entry of a row; `undefined` where it was sealed with another key. */
export function entryOfRow(row: ConfigEntryRow, seal: SealedText): ConfigEntry | undefined {
  const text = seal.open(row.body);
  if (text === undefined) return undefined;
  return {
    kind: row.kind,
    name: row.name,
    body: JSON.parse(text) as JsonObject,
    revision: row.revision,
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
    updatedAt: Number(row.updated_at),
    updatedBy: row.updated_by,
  };
}
