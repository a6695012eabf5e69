/** Where answers are kept, by name; what is too old is not there any more. */
export interface EntryStore {
  get(key: string): Promise<string | undefined>;
  /** @param ttl seconds */
  set(key: string, entry: string, ttl: number): Promise<void>;
  delete(keys: readonly string[]): Promise<void>;
  /** Removes every answer. */
  clear(): Promise<void>;
  /** @throws Error when the store does not answer */
  ping(): Promise<void>;
  close(): Promise<void>;
}
