import type { Claim } from "../lease/claim-store.ts";

/** A piece of a stream. */
export interface JournalRow {
  stream_id: string;
  sequence: number;
  data: string;
  /** 1 when nothing comes after it. */
  last: number;
}

/** A request that its caller gave a key, and its answer. Its id is a hash of tenant and key. */
export interface IdempotencyRow extends Claim {
  request_hash: string;
  /** `running`: no answer yet; `streaming`: its head is there, its bytes are in the journal; `answered`: whole. */
  state: "running" | "streaming" | "answered";
  status: number | null;
  /** JSON. */
  headers: string | null;
  /** Base64. */
  body: string | null;
}

export interface JournalsSchema {
  journal_entries: JournalRow;
  idempotency_keys: IdempotencyRow;
}

declare module "../store/schema.ts" {
  interface Schema extends JournalsSchema {}
}
