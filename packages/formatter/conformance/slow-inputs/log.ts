import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** How long a shape takes in one style: CPU time in ms by the bytes of the text; `null` for a text that had to be given up. */
export interface Entry {
  readonly shape: string;
  readonly mode: string;
  readonly times: Readonly<Record<number, number | null>>;
}

/** What a search has measured, one line of JSON for each measurement, so that a later run goes on where it ended. */
export class SearchLog {
  readonly #path: string | undefined;
  readonly #times = new Map<string, Record<number, number | null>>();

  /** Without a path the entries are kept in memory alone. */
  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined || !existsSync(path)) return;
    for (const line of readFileSync(path, "utf8").split("\n")) {
      if (line !== "") this.#keep(JSON.parse(line) as Entry);
    }
  }

  /** `undefined` when it has not been measured; `Infinity` when it had to be given up. */
  timeOf(shape: string, mode: string, bytes: number): number | undefined {
    const time = this.#times.get(keyOf(shape, mode))?.[bytes];
    return time === null ? Number.POSITIVE_INFINITY : time;
  }

  add(shape: string, mode: string, bytes: number, time: number): void {
    const entry: Entry = { shape, mode, times: { [bytes]: Number.isFinite(time) ? Math.round(time) : null } };
    this.#keep(entry);
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }

  #keep({ shape, mode, times }: Entry): void {
    const key = keyOf(shape, mode);
    this.#times.set(key, { ...this.#times.get(key), ...times });
  }
}

function keyOf(shape: string, mode: string): string {
  return `${mode}\n${shape}`;
}
