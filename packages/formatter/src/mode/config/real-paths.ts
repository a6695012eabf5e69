import { accessSync, constants, lstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { withSlashes } from "../../util/slashes.ts";
import { statPath } from "./stat-path.ts";

/** What was looked up of a path. */
interface Known {
  readonly real: string;
  /** The real path of the folder that it is in, with a slash behind; `undefined` where that was not looked up. */
  readonly folder?: string;
  /** Of what is no link. */
  readonly stats?: Stats;
}

/** Absolute paths with slashes and without symbolic links, for many files: what leads to a folder is looked up once for all in it. */
export class RealPaths {
  readonly #folders = new Map<string, string>();
  /** By the path that was asked for. */
  readonly #known = new Map<string, Known>();
  readonly #user = process.geteuid?.();

  /** @throws when nothing is there or the way to it may not be looked at. */
  of(path: string): string {
    return this.#find(path).real;
  }

  /** As far as the path exists (Python: `Path.resolve`). */
  leniently(path: string): string {
    try {
      return this.of(path);
    } catch {
      const absolute = withSlashes(resolve(path));
      const parent = dirname(absolute);
      return parent === absolute ? absolute : withSlashes(join(this.leniently(parent), basename(absolute)));
    }
  }

  /** The real path of the folder that is, or holds, what is at the path. */
  folderOf(path: string): string {
    const real = this.leniently(path);
    const { folder, stats } = this.#known.get(path) ?? {};
    if (folder !== undefined && stats !== undefined) return stats.isDirectory() ? real : folder;
    return statPath(real)?.isDirectory() ? real : dirname(real);
  }

  /** What is at the path, links followed; it need not be looked up again where its real path was asked for. */
  stat(path: string): Stats | undefined {
    return this.#known.get(path)?.stats ?? statPath(path);
  }

  /** Whether this process may read the path. */
  isReadable(path: string): boolean {
    return this.#isOwnAndReadable(path) || isReadable(path);
  }

  /** Spares the system's own answer for most of the files that a hook names. */
  #isOwnAndReadable(path: string): boolean {
    try {
      const { stats } = this.#find(path);
      return stats !== undefined && stats.uid === this.#user && (stats.mode & constants.S_IRUSR) !== 0;
    } catch {
      return false;
    }
  }

  #find(path: string): Known {
    let known = this.#known.get(path);
    if (known === undefined) {
      known = this.#lookUp(path);
      this.#known.set(path, known);
    }
    return known;
  }

  #lookUp(path: string): Known {
    const end = Math.max(path.lastIndexOf("/"), sep === "/" ? -1 : path.lastIndexOf(sep));
    const name = path.slice(end + 1);
    // A colon may part a drive from a path on it.
    if (name === "" || name === "." || name === ".." || (end === -1 && name.includes(":")))
      return { real: realPath(path) };
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return { real: realPath(path) };
    const given = end === -1 ? "." : path.slice(0, end + 1);
    let folder = this.#folders.get(given);
    if (folder === undefined) {
      folder = realPath(given);
      if (!folder.endsWith("/")) folder += "/";
      this.#folders.set(given, folder);
    }
    return { real: folder + name, folder, stats };
  }
}

/**
 * The path with slashes and without symbolic links.
 *
 * @throws when nothing is there or the way to it may not be looked at.
 */
export function realPath(path: string): string {
  return withSlashes(realpathSync.native(path));
}

/** Whether this process may read the path. */
export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
