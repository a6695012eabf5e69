import { accessSync, constants, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { withSlashes } from "../../util/slashes.ts";
import { isFolder, type PathState, statPath } from "./stat-path.ts";

/** What was looked up of a path. */
interface Known {
  readonly real: string;
  /** Of what is no link. */
  readonly state?: PathState & {
    /** The real path of the folder that it is in, with a slash behind. */
    readonly folder: string;
  };
}

/** How many links in a row the system follows. */
const MOST_LINKS = 40;

/** Absolute paths with slashes and without symbolic links, for many files: what leads to a folder is looked up once for all in it. */
export class RealPaths {
  readonly #folders = new Map<string, string>();
  /** By the path that was asked for. */
  readonly #known = new Map<string, Known>();
  /** The folder of the path that was looked up last. */
  #last = { given: "", real: "" };
  readonly #user = process.geteuid?.();

  /** @throws when nothing is there or the way to it may not be looked at. */
  of(path: string): string {
    return this.#find(path).real;
  }

  /** As far as the path exists, also that to which a link leads (Python: `Path.resolve`). */
  leniently(path: string): string {
    return this.#leniently(path, MOST_LINKS);
  }

  #leniently(path: string, links: number): string {
    try {
      return this.of(path);
    } catch {
      // Not `resolve`: `..` behind a link leads to the folder above the link's target.
      const absolute = withSlashes(isAbsolute(path) ? path : `${process.cwd()}/${path}`).replace(
        /(?:\/\.?)+$/,
        "",
      );
      const end = absolute.lastIndexOf("/");
      const { root } = parse(absolute);
      if (absolute.length <= root.length) return root;
      const parent = this.#leniently(absolute.slice(0, Math.max(end, root.length)), links);
      const name = absolute.slice(end + 1);
      if (name === "..") return withSlashes(dirname(parent));
      const real = withSlashes(join(parent, name));
      const target = links > 0 ? targetOf(real) : undefined;
      if (target === undefined) return real;
      return this.#leniently(isAbsolute(target) ? target : `${parent}/${target}`, links - 1);
    }
  }

  /** The real path of the folder that is, or holds, what is at the path. */
  folderOf(path: string): string {
    const known = this.#known.get(path);
    if (known?.state !== undefined) return isFolder(known.state) ? known.real : known.state.folder;
    const real = this.leniently(path);
    return isFolder(statPath(real)) ? real : dirname(real);
  }

  /** What is at the path, links followed; it need not be looked up again where its real path was asked for. */
  stat(path: string): PathState | undefined {
    return this.#known.get(path)?.state ?? statPath(path);
  }

  /** Whether this process may read the path. */
  isReadable(path: string): boolean {
    return this.#isOwnAndReadable(path) || isReadable(path);
  }

  /** Spares the system's own answer for most of the files that a hook names. */
  #isOwnAndReadable(path: string): boolean {
    try {
      const { state } = this.#find(path);
      return state !== undefined && state.uid === this.#user && (state.mode & constants.S_IRUSR) !== 0;
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
    // A colon may part a drive from a path on it.
    if (isNoName(path, end + 1) || (end === -1 && path.includes(":"))) return { real: realPath(path) };
    // Node's own object has 18 fields, and there may be thousands.
    const { mode, uid, size, mtimeMs } = lstatSync(path);
    if ((mode & constants.S_IFMT) === constants.S_IFLNK) return { real: realPath(path) };
    const folder = end === -1 ? this.#folder(".") : this.#folderOfNext(path, end + 1);
    const isReal = folder.length === end + 1 && path.startsWith(folder);
    return {
      real: isReal ? path : folder + path.slice(end + 1),
      state: { mode, uid, size, mtimeMs, folder },
    };
  }

  /** The real path of what is before `end`. Files are mostly named folder by folder. */
  #folderOfNext(path: string, end: number): string {
    const { given, real } = this.#last;
    if (given.length === end && path.startsWith(given)) return real;
    const next = path.slice(0, end);
    this.#last = { given: next, real: this.#folder(next) };
    return this.#last.real;
  }

  /** The real path of a folder, with a slash behind. */
  #folder(given: string): string {
    let folder = this.#folders.get(given);
    if (folder === undefined) {
      folder = this.#inKnownFolder(given) ?? realPath(given);
      if (!folder.endsWith("/")) folder += "/";
      this.#folders.set(given, folder);
    }
    return folder;
  }

  /** Of a folder that is no link, in one that was looked up: without the system's look at each folder above it. */
  #inKnownFolder(given: string): string | undefined {
    const end = given.lastIndexOf("/", given.length - 2);
    const parent = this.#folders.get(given.slice(0, end + 1));
    const name = given.slice(end + 1, -1);
    if (parent === undefined || name === "" || name === "." || name === ".." || sep !== "/") return undefined;
    return lstatSync(given.slice(0, -1)).isDirectory() ? parent + name : undefined;
  }
}

/** What a link says; `undefined` where there is none. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether what begins there is not the name of a file in a folder. */
function isNoName(path: string, start: number): boolean {
  const length = path.length - start;
  if (length > 2) return false;
  return length === 0 || path.endsWith(length === 1 ? "." : "..");
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
