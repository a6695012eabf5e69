import { lstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { statPath } from "./stat-path.ts";

/** Absolute paths without symbolic links, for many files: what leads to a folder is looked up once for all in it. */
export class RealPaths {
  readonly #folders = new Map<string, string>();
  /** By the path that was asked for. */
  readonly #known = new Map<string, string>();
  /** Of what is no link, by the path that was asked for. */
  readonly #stats = new Map<string, Stats>();
  /** By the real path. */
  readonly #areFolders = new Map<string, boolean>();

  /** @throws when nothing is there or the way to it may not be looked at. */
  of(path: string): string {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const real = this.#lookUp(path);
    this.#known.set(path, real);
    return real;
  }

  /** As far as the path exists (Python: `Path.resolve`). */
  leniently(path: string): string {
    try {
      return this.of(path);
    } catch {
      const absolute = resolve(path);
      const parent = dirname(absolute);
      return parent === absolute ? absolute : join(this.leniently(parent), basename(absolute));
    }
  }

  /** Whether there is a folder at the real path. */
  isFolder(real: string): boolean {
    return this.#areFolders.get(real) ?? statPath(real)?.isDirectory() ?? false;
  }

  /** What is at the path, links followed; it need not be looked up again where its real path was asked for. */
  stat(path: string): Stats | undefined {
    return this.#stats.get(path) ?? statPath(path);
  }

  #lookUp(path: string): string {
    const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf(sep));
    const name = path.slice(end + 1);
    // A colon may part a drive from a path on it.
    if (name === "" || name === "." || name === ".." || (end === -1 && name.includes(":")))
      return realpathSync.native(path);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return realpathSync.native(path);
    this.#stats.set(path, stats);
    const folder = end === -1 ? "." : path.slice(0, end + 1);
    let real = this.#folders.get(folder);
    if (real === undefined) {
      real = realpathSync.native(folder);
      if (!real.endsWith(sep)) real += sep;
      this.#folders.set(folder, real);
    }
    this.#areFolders.set(real + name, stats.isDirectory());
    return real + name;
  }
}
