import { hash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { styleVersion } from "../../mode/versions.ts";

/** What is remembered of a well-formatted file: modification time in ms, size in bytes, SHA-256 in hex. */
export type FileRecord = readonly [mtimeMs: number, size: number, digest: string];

/** SHA-256 of a file's bytes as the cache holds it. */
export function digestOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/**
 * Files that were well formatted when last seen, for one set of options and one project root (Black: `cache.py`).
 * Runs at the same time do not disturb each other: a new file replaces the old one whole, and what another run
 * wrote in between is kept.
 */
export class Cache {
  readonly #path: string;
  readonly #known: Map<string, FileRecord>;
  readonly #fresh = new Map<string, FileRecord>();

  /** @param key everything that the output depends on besides the source. */
  constructor(folder: string, key: unknown) {
    const name = hash("sha256", JSON.stringify([styleVersion, key]), "hex").slice(0, 32);
    this.#path = join(folder, `${name}.json`);
    this.#known = read(this.#path);
  }

  /** Whether the file at the absolute path is still as it was; reads its bytes only when its time alone changed. */
  isUnchanged(path: string, stats: Stats): boolean {
    const record = this.#known.get(path);
    if (record === undefined || record[1] !== stats.size) return false;
    return record[0] === stats.mtimeMs || digestOf(readFileSync(path)) === record[2];
  }

  /** Remembers a file as well formatted. */
  add(path: string, record: FileRecord): void {
    this.#fresh.set(path, record);
  }

  /** Stores what was added; a cache that cannot be written is no error. */
  save(): void {
    if (this.#fresh.size === 0) return;
    const merged = read(this.#path);
    for (const [path, record] of this.#fresh) merged.set(path, record);
    const temporary = `${this.#path}.${process.pid}-${randomBytes(4).toString("hex")}`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeFileSync(temporary, JSON.stringify([...merged]));
      renameSync(temporary, this.#path);
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}

/** A missing or damaged cache is an empty one. */
function read(path: string): Map<string, FileRecord> {
  try {
    const entries: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(entries) ? new Map(entries.filter(isEntry)) : new Map();
  } catch {
    return new Map();
  }
}

function isEntry(entry: unknown): entry is [string, FileRecord] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string" || !Array.isArray(entry[1])) return false;
  const [mtimeMs, size, digest] = entry[1];
  return typeof mtimeMs === "number" && typeof size === "number" && typeof digest === "string";
}
