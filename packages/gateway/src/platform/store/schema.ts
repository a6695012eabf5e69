import type { Kysely } from "kysely";

/**
 * Every table of the store. Who owns a table adds it from its own folder:
 * `declare module ".../platform/store/schema.ts" { interface Schema extends KeysSchema {} }`.
 */
export interface Schema extends SettingsSchema {}

/** A value that all replicas share, such as the secret behind object ids. */
interface SettingRow {
  name: string;
  value: string;
}

/** Counts the changes of a topic, so that replicas notice when what they remember is out of date. */
interface VersionRow {
  topic: string;
  version: number;
}

/** The tables about the gateway itself. */
interface SettingsSchema {
  settings: SettingRow;
  versions: VersionRow;
}

/** How another connection to a store is made. */
export type StoreLocation =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** The persistent store: one schema on either database. Topics (`KeyStore`, `SpendStore`, ...) are built on `db`. */
export interface Store {
  readonly kind: "sqlite" | "postgres";
  readonly location: StoreLocation;
  readonly db: Kysely<Schema>;
  /**
   * The same for what every call waits for: who asks, and budgets. Long lists and reports take every connection of `db` at
   * times, and none of these.
   */
  readonly ofCalls: Kysely<Schema>;
  /** Whether the database answers; never rejects. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

/** The store by the connections that calls have for themselves. */
export function storeOfCalls(store: Store): Store {
  return { ...store, db: store.ofCalls };
}
