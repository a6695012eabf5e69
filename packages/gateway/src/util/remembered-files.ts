import { readFileSync, statSync } from "node:fs";

const MAX_FILES = 100;

/** What files say that are asked with every call: each is read again only once it was written or replaced. */
export class RememberedFiles<T> {
  readonly #understand: (text: string) => T;
  readonly #known = new Map<string, { readonly identity: string; readonly content: T }>();

  constructor(understand: (text: string) => T) {
    this.#understand = understand;
  }

  /** @throws as the file system does where there is no file that may be read, and what `understand` throws */
  read(path: string): T {
    const identity = identityOfFile(path);
    const known = this.#known.get(path);
    if (known?.identity === identity && identity !== "") return known.content;
    const content = this.#understand(readFileSync(path, "utf8"));
    if (this.#known.size >= MAX_FILES) this.#known.clear();
    this.#known.set(path, { identity, content });
    return content;
  }
}

/** Differs when the file was written or replaced; empty while there is none. */
export function identityOfFile(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}
