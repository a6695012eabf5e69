import type { StoreLocation } from "../../../platform/store/schema.ts";

/** Where the rows of the journal go: the spend log and its sums, in one transaction. */
export interface SpendSink {
  /**
   * Adds rows to the log, and to the sums those that were not there yet: the same rows may come again after a crash.
   * @param texts of `textOfRow`
   */
  write(texts: readonly string[]): Promise<void>;
  /** Whether an error of `write` is about the rows, so that they would be refused again. */
  isRefusal(error: unknown): boolean;
  close(): Promise<void>;
}

/** A connection of its own to the store. */
export async function openSpendSink(location: StoreLocation): Promise<SpendSink> {
  if (location.kind === "sqlite") return new (await import("./sqlite-sink.ts")).SqliteSink(location.file);
  return new (await import("./postgres-sink.ts")).PostgresSink(location.url);
}
