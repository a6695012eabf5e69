import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** The persistent store: one schema on either database. Topics (`KeyStore`, `SpendStore`, ...) are built on `db`. */
export interface Store {
  readonly kind: "sqlite" | "postgres";
  readonly db: Kysely<Schema>;
  /** Whether the database answers; never rejects. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}
