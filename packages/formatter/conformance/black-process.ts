import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BLACK_VERSION, pythonWithBlack } from "./black.ts";
import type { Answer } from "./item.ts";
import { NO_ANSWER, readRefusal } from "./refusal.ts";

/** Members of Black's `Mode` by their names; what is left out has Black's default. */
export interface BlackOptions {
  readonly line_length?: number;
  readonly preview?: boolean;
  readonly unstable?: boolean;
  readonly enabled_features?: readonly string[];
  readonly is_pyi?: boolean;
  readonly is_ipynb?: boolean;
  readonly string_normalization?: boolean;
  readonly magic_trailing_comma?: boolean;
  readonly skip_source_first_line?: boolean;
  readonly target_versions?: readonly string[];
  readonly python_cell_magics?: readonly string[];
}

/** What Black is asked: a text or a file, and how to format it. */
export type Request = ({ readonly source: string } | { readonly path: string }) & {
  readonly options: BlackOptions;
  /** 1-based lines, both ends included; empty for all. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly fast: boolean;
};

/** A source that was made for a comparison, with its number within the run. */
export interface MadeCase {
  readonly number: number;
  readonly maker: string;
  readonly source: string;
  readonly options: BlackOptions;
  readonly ranges: readonly (readonly [number, number])[];
  readonly fast: boolean;
}

/** Which cases to make; the same wish makes the same cases. */
export interface Wish {
  /** Whose statements are edited; empty for the standard library of Black's Python. */
  readonly folder: string;
  readonly seed: number;
  readonly start: number;
  readonly count: number;
  /** Empty for all. */
  readonly makers: readonly string[];
}

/** Longer than Black takes for one source, or for a whole batch, unless it has no end. */
export interface Patience {
  readonly singleMs: number;
  readonly batchMs: number;
}

/** For programs of a few lines. */
const FOR_SMALL_SOURCES: Patience = { singleMs: 20_000, batchMs: 120_000 };

/** For modules of any size on a crowded machine. */
export const FOR_FILES: Patience = { singleMs: 300_000, batchMs: 600_000 };

/** A Python that formats with Black in one process, as long as that lives; it is started again when it hangs. */
export class BlackProcess {
  #child: ChildProcess | undefined;
  #lines: AsyncIterator<string> | undefined;
  #interface: Interface | undefined;
  readonly #patience: Patience;
  /** The version of the Python that answers, such as `3.13.0`; known after the first answer. */
  python = "";

  constructor(patience = FOR_SMALL_SOURCES) {
    this.#patience = patience;
  }

  /** Makes cases; a batch that Black cannot make in time is left out, with a word on standard error. */
  async make(wish: Wish): Promise<readonly MadeCase[]> {
    const made = await this.#exchange({ make: wish }, this.#patience.batchMs);
    if (made !== undefined) return made as MadeCase[];
    process.stderr.write(`Black hung while cases ${wish.start} to ${wish.start + wish.count} were made\n`);
    return [];
  }

  /** Black's answers, in order. Black's words are read from the line that it prints. */
  async ask(requests: readonly Request[]): Promise<readonly Answer[]> {
    const replies = await this.#exchange({ ask: requests }, this.#patience.batchMs);
    if (replies !== undefined) return (replies as Reply[]).map(toAnswer);
    const answers: Answer[] = [];
    for (const request of requests) {
      const alone = await this.#exchange({ ask: [request] }, this.#patience.singleMs);
      answers.push(alone === undefined ? { refusal: NO_ANSWER } : toAnswer((alone as Reply[])[0]!));
    }
    return answers;
  }

  /** Ends the process, which takes its folder for temporary files away. */
  close(): void {
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #abandon(): void {
    this.#interface?.close();
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  /** `undefined` when the time ran out or the process died; the next exchange starts another one. */
  async #exchange(message: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#child === undefined) await this.#start();
    this.#child!.stdin!.write(`${JSON.stringify(message)}\n`);
    const timer = setTimeout(() => this.#abandon(), timeoutMs);
    const { value, done } = await this.#lines!.next();
    clearTimeout(timer);
    if (done !== true) return JSON.parse(value);
    this.#abandon();
    return undefined;
  }

  async #start(): Promise<void> {
    const script = fileURLToPath(new URL("oracle/serve.py", import.meta.url));
    const child = spawn(pythonWithBlack(), [script], { stdio: ["pipe", "pipe", "inherit"] });
    // A write to a process that has died is noticed by the answer that does not come.
    child.stdin.on("error", () => {});
    this.#child = child;
    this.#interface = createInterface({ input: child.stdout });
    this.#lines = this.#interface[Symbol.asyncIterator]();
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the Python that has Black ended at once");
    const { black, python } = JSON.parse(value);
    if (black !== BLACK_VERSION) throw new Error(`Black ${BLACK_VERSION} is needed, this is ${black}`);
    this.python = python;
  }
}

type Reply =
  | { readonly text: string }
  | { readonly refusal: { readonly type: string; readonly message: string } };

function toAnswer(reply: Reply): Answer {
  return "text" in reply ? reply : { refusal: readRefusal(reply.refusal.message) };
}
