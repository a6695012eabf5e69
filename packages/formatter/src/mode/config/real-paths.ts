import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Absolute paths without symbolic links, for many files: what leads to a folder is looked up once for all in it. */
export class RealPaths {
  readonly #folders = new Map<string, string>();

  /** @throws when nothing is there or the way to it may not be looked at. */
  of(path: string): string {
    const name = basename(path);
    const isPlain = name !== "" && name !== "." && name !== ".." && path.endsWith(name);
    if (!isPlain || lstatSync(path).isSymbolicLink()) return realpathSync.native(path);
    const folder = dirname(path);
    let real = this.#folders.get(folder);
    if (real === undefined) {
      real = realpathSync.native(folder);
      this.#folders.set(folder, real);
    }
    return join(real, name);
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
}
