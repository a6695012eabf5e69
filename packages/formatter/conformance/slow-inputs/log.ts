import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** How long a shape takes in one style: CPU time in ms by the bytes of the text; `null` for a text that had to be given up. */
export interface Entry {
  readonly shape: string;
  readonly style: string;
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
  readonly #measurements = new Map<string, Measurement>();

  /** Without a path the entries are kept in memory alone. */
  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined || !existsSync(path)) return;
    for (const line of readFileSync(path, "utf8").split("\n")) {
      if (line !== "") this.#keep(JSON.parse(line) as Entry);
    }
  }

  /** `undefined` when it has not been measured. */
  find(shape: string, style: string, bytes: number): Measurement | undefined {
    return this.#measurements.get(keyOf(shape, style, bytes));
  }

  add(shape: string, style: string, bytes: number, { time, isRefused }: Measurement): void {
    const times = { [bytes]: Number.isFinite(time) ? Math.round(time) : null };
    const entry: Entry = { shape, style, times, ...(isRefused && { isRefused }) };
    this.#keep(entry);
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }

  /** Each size by itself: a shape that is refused for its depth in one is formatted in a smaller one. */
  #keep({ shape, style, times, isRefused = false }: Entry): void {
    for (const [bytes, time] of Object.entries(times))
      this.#measurements.set(keyOf(shape, style, Number(bytes)), {
        time: time ?? Number.POSITIVE_INFINITY,
        isRefused,
      });
  }
}

function keyOf(shape: string, style: string, bytes: number): string {
  return `${style}\n${bytes}\n${shape}`;
}
