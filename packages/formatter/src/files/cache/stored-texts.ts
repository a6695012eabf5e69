import type { Json, TextMemory } from "../../mode/config/text-memory.ts";
import type { Stored } from "./stored.ts";

type Entry = readonly [kind: string, text: string, result: Json];

/** Results that are kept of those that the last run did not ask for. */
const SPARE = 16;

/** A memory of texts in the cache. They are compared whole, so that no time of change has to be trusted. */
export class StoredTexts implements TextMemory {
  readonly #stored: Stored;
  readonly #known: Entry[];
  readonly #used: Entry[] = [];
  #isChanged = false;

  constructor(stored: Stored) {
    this.#stored = stored;
    const known = stored.readJson();
    this.#known = Array.isArray(known) && known.every((entry): boolean => Array.isArray(entry)) ? known : [];
  }

  find(kind: string, text: string): Json | undefined {
    const entry = this.#known.find((known) => known[0] === kind && known[1] === text);
    if (entry !== undefined) this.#used.push(entry);
    return entry?.[2];
  }

  add(kind: string, text: string, result: Json): void {
    this.#used.push([kind, text, result]);
    this.#isChanged = true;
  }

  /** Stores what was added; a failure is no error. */
  save(): void {
    if (!this.#isChanged) return;
    const spare = this.#known.filter((entry) => !this.#used.includes(entry)).slice(0, SPARE);
    this.#stored.writeJson([...this.#used, ...spare]);
  }
}
