import { writeSync } from "node:fs";
import { now } from "../util/clock.ts";
import { isTerminal } from "./console.ts";

/** How long a run goes on before it shows how far it is, and how often the line changes, in ms. */
const DELAY = 1000;
const INTERVAL = 100;

/** A line on the terminal that tells how many files are done; nothing where there is no terminal. */
export class Progress {
  readonly #total: number;
  readonly #isWanted: boolean;
  /** Not asked for before there is something to show: most runs end sooner. */
  #isTerminal: boolean | undefined = undefined;
  #done = 0;
  #next: number;
  #isOnScreen = false;

  constructor(total: number, isWanted: boolean) {
    this.#total = total;
    this.#isWanted = isWanted;
    this.#next = now() + DELAY;
  }

  advance(): void {
    this.#done++;
    if (!this.#isWanted || now() < this.#next) return;
    // `process.stderr` would load Node's streams.
    this.#isTerminal ??= isTerminal(2);
    if (!this.#isTerminal) return;
    this.#next = now() + INTERVAL;
    this.#isOnScreen = true;
    writeSync(2, `\r${this.#done} of ${this.#total} files`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#isOnScreen) writeSync(2, "\r\u001b[K");
  }
}
