import { statPath } from "../../../mode/config/stat-path.ts";

/** What a stat tells of a file or folder, as far as memories of trees ask for it. */
export interface StatFields {
  dev: number;
  ino: number;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970, with fractions; so is the next. */
  mtimeMs: number;
  ctimeMs: number;
}

/** Reads what is at a path into `fields`; `false` when nothing is there or it may not be looked at. */
export interface StatReader {
  readonly fields: Readonly<StatFields>;
  read(path: string): boolean;
}

/** Node's own function below `fs.statSync`; the numbers it returns change with the next call. */
export type NativeStat = (
  path: string,
  wantsBigInts: boolean,
  request: undefined,
  throwsIfMissing: boolean,
) => ArrayLike<number> | undefined;

/**
 * The fastest reader that can be trusted. `fs.statSync` makes an object of eighteen numbers for each path, which with
 * its garbage takes longer than the system call. Where Node lets us have the function below it, and that tells the same
 * of `probe`, the numbers are taken from there (ADR 2026-11-22-unchanged-trees).
 *
 * @param probe a path that exists.
 */
export function statReader(probe: string, stat: NativeStat | undefined = nativeStat()): StatReader {
  const documented = documentedReader();
  if (stat === undefined) return documented;
  const native = nativeReader(stat);
  if (!documented.read(probe) || !native.read(probe)) return documented;
  const keys = Object.keys(documented.fields) as (keyof StatFields)[];
  return keys.every((key) => documented.fields[key] === native.fields[key]) ? native : documented;
}

function documentedReader(): StatReader {
  const fields = noFields();
  return {
    fields,
    read(path): boolean {
      const stats = statPath(path);
      if (stats === undefined) return false;
      fields.dev = stats.dev;
      fields.ino = stats.ino;
      fields.size = stats.size;
      fields.mtimeMs = stats.mtimeMs;
      fields.ctimeMs = stats.ctimeMs;
      return true;
    },
  };
}

/** Positions in the numbers are those of Node's `FillStatsArray` (node: `src/node_file-inl.h`). */
function nativeReader(stat: NativeStat): StatReader {
  const fields = noFields();
  return {
    fields,
    read(path): boolean {
      try {
        const numbers = stat(path, false, undefined, false);
        if (numbers === undefined) return false;
        fields.dev = numbers[0]!;
        fields.ino = numbers[7]!;
        fields.size = numbers[8]!;
        fields.mtimeMs = numbers[12]! * 1000 + numbers[13]! / 1_000_000;
        fields.ctimeMs = numbers[14]! * 1000 + numbers[15]! / 1_000_000;
        return true;
      } catch {
        return false;
      }
    },
  };
}

/**
 * `process.binding` is deprecated in Node's documentation (DEP0111). It warns only those who ask for such warnings: who
 * runs Node with options of their own gets the documented way.
 */
function nativeStat(): NativeStat | undefined {
  const { NODE_OPTIONS, NODE_PENDING_DEPRECATION } = process.env;
  if (process.execArgv.length > 0 || NODE_OPTIONS || NODE_PENDING_DEPRECATION) return undefined;
  const { binding } = process as unknown as { binding?: (name: string) => { stat?: NativeStat } };
  try {
    return binding?.call(process, "fs").stat;
  } catch {
    return undefined;
  }
}

function noFields(): StatFields {
  return { dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };
}
