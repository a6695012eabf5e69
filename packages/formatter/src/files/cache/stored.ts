import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint } from "../../util/fingerprint.ts";
import { buildId } from "./build-id.ts";
import { makeFolder } from "./make-folder.ts";
import { sweepNowAndThen } from "./sweep.ts";

/** What a file of the cache holds: its contents, and what was added to them since. */
export interface StoredParts {
  readonly contents: unknown;
  readonly additions: readonly unknown[];
}

/**
 * One file of the cache: what was remembered under a key, as JSON. Its name is short, so the key is its first line; the second
 * one holds the contents, each further one an addition.
 */
export class Stored {
  readonly #path: string;
  readonly #head: string;

  /**
   * @param kind what the file holds; part of its name.
   * @param key everything that the contents depend on.
   */
  constructor(folder: string, kind: string, key: unknown) {
    const text = JSON.stringify([buildId(), key]);
    this.#head = `${text}\n`;
    this.#path = join(folder, `${kind}-${fingerprint(text)}`);
  }

  /** What is stored now; `undefined` when it is missing, another key's or damaged. */
  read(): StoredParts | undefined {
    try {
      const text = readFileSync(this.#path, "utf8");
      if (!text.startsWith(this.#head)) return undefined;
      const end = text.indexOf("\n", this.#head.length);
      if (end === -1) return { contents: JSON.parse(text.slice(this.#head.length)), additions: [] };
      const additions = text.slice(end + 1).split("\n");
      return {
        contents: JSON.parse(text.slice(this.#head.length, end)),
        additions: additions.flatMap(parsed),
      };
    } catch {
      return undefined;
    }
  }

  /**
   * Adds a line to what is stored, in one step, so that runs at the same time do not disturb each other. Its line end comes
   * first: what a crash has cut short spoils no other line.
   *
   * @returns false when nothing is stored under the key, or nothing can be added.
   */
  append(addition: unknown): boolean {
    try {
      const file = openSync(this.#path, constants.O_RDWR | constants.O_APPEND);
      try {
        const head = Buffer.from(this.#head);
        const found = Buffer.alloc(head.length);
        readSync(file, found, 0, head.length, 0);
        if (!found.equals(head)) return false;
        writeSync(file, `\n${JSON.stringify(addition)}`);
      } finally {
        closeSync(file);
      }
    } catch {
      return false;
    }
    sweepNowAndThen(dirname(this.#path));
    return true;
  }

  /** Replaces the file whole, so that runs at the same time do not disturb each other; a failure is no error. */
  write(contents: unknown): void {
    const temporary = `${this.#path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
    try {
      makeFolder(dirname(this.#path));
      writeFileSync(temporary, `${this.#head}${JSON.stringify(contents)}`);
      renameSync(temporary, this.#path);
    } catch {
      removeQuietly(temporary);
      return;
    }
    sweepNowAndThen(dirname(this.#path));
  }
}

/** Nothing of a line that is damaged. */
function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
