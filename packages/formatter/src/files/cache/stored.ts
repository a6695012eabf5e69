import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { styleVersion } from "../../mode/versions.ts";
import { fingerprint } from "../../util/fingerprint.ts";

/** One file of the cache: what was remembered under a key, as JSON. Its name is short, so the key is in it as well. */
export class Stored {
  readonly #path: string;
  readonly #key: string;

  /**
   * @param kind what the file holds; part of its name.
   * @param key everything that the contents depend on.
   */
  constructor(folder: string, kind: string, key: unknown) {
    this.#key = JSON.stringify([styleVersion, key]);
    this.#path = join(folder, `${kind}-${fingerprint(this.#key)}.json`);
  }

  /** The contents as they are now; `undefined` when they are missing, damaged or another key's. */
  read(): unknown {
    try {
      const stored: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      return Array.isArray(stored) && stored[0] === this.#key ? stored[1] : undefined;
    } catch {
      return undefined;
    }
  }

  /** Replaces the file whole, so that runs at the same time do not disturb each other; a failure is no error. */
  write(contents: unknown): void {
    const temporary = `${this.#path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
    try {
      makeFolder(dirname(this.#path));
      writeFileSync(temporary, JSON.stringify([this.#key, contents]));
      renameSync(temporary, this.#path);
    } catch {
      removeQuietly(temporary);
    }
  }
}

/** With the folders above. Node's own way never ends where a folder exists and takes no others, as `/proc` does. */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (existsSync(path)) return;
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have been first.
    if (!existsSync(path)) throw error;
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
