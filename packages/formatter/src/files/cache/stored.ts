import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint } from "../../util/fingerprint.ts";
import { buildId } from "./build-id.ts";
import { makeFolder } from "./make-folder.ts";
import { sweepNowAndThen } from "./sweep.ts";

/** One file of the cache: what was remembered under a key, as JSON. Its name is short, so the key is its first line. */
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

  /** The contents as they are now; `undefined` when they are missing, another key's or damaged. */
  read(): unknown {
    try {
      const text = readFileSync(this.#path, "utf8");
      return text.startsWith(this.#head) ? JSON.parse(text.slice(this.#head.length)) : undefined;
    } catch {
      return undefined;
    }
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

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
