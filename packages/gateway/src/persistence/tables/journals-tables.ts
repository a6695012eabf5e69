/** A piece of a stream. */
export interface JournalRow {
  stream_id: string;
  sequence: number;
  data: string;
  /** 1 when nothing comes after it. */
  last: number;
}

/** A request that its caller gave a key, and its answer. Times are milliseconds since the epoch. */
export interface IdempotencyRow {
  /** Hash of tenant and key. */
  id: string;
  request_hash: string;
  /** `running`: no answer yet; `streaming`: its head is there, its bytes are in the journal; `answered`: whole. */
  state: "running" | "streaming" | "answered";
  /** Tells the process that works on it from later ones. */
  owner: string;
  alive_until: number;
  expires_at: number;
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
