import { constants, type Stats, statSync } from "node:fs";

/** What is asked of a path. */
export interface PathState {
  /** Kind and permissions. */
  readonly mode: number;
  /** Whose it is. */
  readonly uid: number;
  /** In bytes. */
  readonly size: number;
  /** Change time, in ms since 1970. */
  readonly mtimeMs: number;
}

const options = { throwIfNoEntry: false } as const;

/** What is at the path, links followed; `undefined` for what is missing, leads in a circle or may not be looked at. */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, options);
  } catch {
    return undefined;
  }
}

export function isFolder(state: PathState | undefined): boolean {
  return state !== undefined && (state.mode & constants.S_IFMT) === constants.S_IFDIR;
}

export function isFile(state: PathState | undefined): boolean {
  return state !== undefined && (state.mode & constants.S_IFMT) === constants.S_IFREG;
}
