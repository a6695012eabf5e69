import { type JsonObject, stringOf } from "../../util/json.ts";
import { notFound } from "../failures.ts";
import type { ResponseRecord } from "./response-record.ts";

const MAX_RESPONSES = 20_000;

/** The stored responses of one account; the oldest go when there are too many. */
export class ResponseStore {
  #records = new Map<string, ResponseRecord>();
  /** All output items by id, which later requests may refer to. */
  readonly items = new Map<string, JsonObject>();

  add(record: ResponseRecord): void {
    this.#records.set(record.id, record);
    for (const item of record.output) this.items.set(stringOf(item.id) ?? "", item);
    if (this.#records.size > MAX_RESPONSES) {
      const [oldest] = this.#records.keys();
      if (oldest !== undefined) this.delete(oldest);
    }
  }

  find(id: string): ResponseRecord | undefined {
    return this.#records.get(id);
  }

  /** Throws 404 for one that does not exist. */
  get(id: string): ResponseRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw notFound(`Response with id '${id}' not found.`, null);
    return record;
  }

  delete(id: string): void {
    for (const item of this.get(id).output) this.items.delete(stringOf(item.id) ?? "");
    this.#records.delete(id);
  }

  clear(): void {
    this.#records.clear();
    this.items.clear();
  }
}
