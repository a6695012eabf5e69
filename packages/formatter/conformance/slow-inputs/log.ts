import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** How long a shape takes in one style: CPU time in ms by the bytes of the text; `null` for a text that had to be given up. */
export interface Entry {
  readonly shape: string;
  readonly mode: string;
  readonly times: Readonly<Record<number, number | null>>;
  /** The parser refuses it. */
  readonly isRefused?: boolean;
}

/** What one run has taken. */
export interface Measurement {
  /** CPU time in ms; `Infinity` when it had to be given up. */
  readonly time: number;
  /** The parser refuses the text. */
  readonly isRefused: boolean;
}

/** What a search has measured, one line of JSON for each measurement, so that a later run goes on where it ended. */
export class SearchLog {
  readonly #path: string | undefined;
  readonly #entries = new Map<string, Entry>();

  /** Without a path the entries are kept in memory alone. */
  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined || !existsSync(path)) return;
    for (const line of readFileSync(path, "utf8").split("\n")) {
      if (line !== "") this.#keep(JSON.parse(line) as Entry);
    }
  }

  /** `undefined` when it has not been measured. */
  find(shape: string, mode: string, bytes: number): Measurement | undefined {
    const entry = this.#entries.get(keyOf(shape, mode));
    const time = entry?.times[bytes];
    if (time === undefined) return undefined;
    return { time: time ?? Number.POSITIVE_INFINITY, isRefused: entry?.isRefused === true };
  }

  add(shape: string, mode: string, bytes: number, { time, isRefused }: Measurement): void {
    const times = { [bytes]: Number.isFinite(time) ? Math.round(time) : null };
    const entry: Entry = { shape, mode, times, ...(isRefused && { isRefused }) };
    this.#keep(entry);
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }

  #keep(entry: Entry): void {
    const key = keyOf(entry.shape, entry.mode);
    const times = { ...this.#entries.get(key)?.times, ...entry.times };
    this.#entries.set(key, { ...entry, times });
  }
}

function keyOf(shape: string, mode: string): string {
  return `${mode}\n${shape}`;
}
