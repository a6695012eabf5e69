import { digestOf } from "../../cache/digest.ts";
import type { KnownFailure } from "../../cache/file-record.ts";

/** What a search found, by column: folder after folder, each before those in it. */
export interface RememberedTree extends TreeContents {
  /** Tells it from others: a number made of its digest. */
  readonly id: number;
}

export interface TreeContents {
  /**
   * What was found or gone into, in order, folder after folder behind the tree's own, which is `./`: paths from there,
   * so that they need not be put together again. Those of folders end in a slash.
   */
  readonly entries: readonly string[];
  /** For each folder: index of its own entry, index of the first in it, folders from it on down. */
  readonly folders: Float64Array;
  /**
   * For each entry: change time in ms (0: not to be trusted) and inode of a folder, modification time in ms and size in
   * bytes of a file whose outcome is known, else not-a-number.
   */
  readonly stamps: Float64Array;
  readonly remarks: Remarks;
}

/** What few trees have. */
export interface Remarks {
  /** Files with known stamps that are no Python, by their index in `entries`; all others are well formatted. */
  readonly failures: readonly (readonly [entry: number, failure: KnownFailure])[];
  /** Every ignore file that had a say, with its change time in ms; 0 where there was none. */
  readonly ignoreFiles: readonly (readonly [path: string, changed: number])[];
}

/** Numbers that a folder takes in `folders`. */
export const FOLDER_WIDTH = 3;

/** Numbers that an entry takes in `stamps`. */
export const STAMP_WIDTH = 2;

/** Numbers of the header: folders, entries, bytes of the remarks, and the id. */
const HEADER_WIDTH = 4;

/** As many of a digest's as a number holds exactly. */
const ID_DIGITS = 13;

const { BYTES_PER_ELEMENT } = Float64Array;

/** The entry of the folder where the search starts. */
export const START = "./";

/** No name has this character. */
const SEPARATOR = "\0";

export const emptyTree: RememberedTree = {
  id: 0,
  entries: [],
  folders: new Float64Array(),
  stamps: new Float64Array(),
  remarks: { failures: [], ignoreFiles: [] },
};

/**
 * A tree as bytes: header, folders and stamps as doubles in this machine's byte order, the remarks as JSON, and the
 * names. Read as it is, it costs a fraction of the same as JSON.
 */
export function encodeTree({ entries, folders, stamps, remarks }: TreeContents): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(remarks));
  const counts = [folders.length / FOLDER_WIDTH, entries.length, json.length];
  const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
    new Uint8Array(buffer, byteOffset, byteLength);
  const names = Buffer.from(entries.join(SEPARATOR));
  const parts = [bytesOf(folders), bytesOf(stamps), json, names];
  const id = Number.parseInt(digestOf(Buffer.concat(parts)).slice(0, ID_DIGITS), 16);
  return [bytesOf(Float64Array.of(...counts, id)), ...parts];
}

/** The tree in the bytes; damaged ones are an empty tree. */
export function decodeTree(bytes: Buffer | undefined): RememberedTree {
  if (bytes === undefined || bytes.length < HEADER_WIDTH * BYTES_PER_ELEMENT) return emptyTree;
  // Numbers can only be read where they begin at a multiple of their size.
  const whole =
    bytes.byteOffset % BYTES_PER_ELEMENT === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  const numbers = (from: number, count: number): Float64Array =>
    new Float64Array(whole.buffer, whole.byteOffset + from * BYTES_PER_ELEMENT, count);
  const [folderCount = 0, entryCount = 0, jsonLength = 0, id = 0] = numbers(0, HEADER_WIDTH);
  const numberCount = HEADER_WIDTH + folderCount * FOLDER_WIDTH + entryCount * STAMP_WIDTH;
  const jsonStart = numberCount * BYTES_PER_ELEMENT;
  const namesStart = jsonStart + jsonLength;
  if (![folderCount, entryCount, jsonLength].every(isCount) || namesStart > whole.length) return emptyTree;
  const names = whole.toString("utf8", namesStart);
  const entries = names === "" ? [] : names.split(SEPARATOR);
  const folders = numbers(HEADER_WIDTH, folderCount * FOLDER_WIDTH);
  const stamps = numbers(HEADER_WIDTH + folders.length, entryCount * STAMP_WIDTH);
  const remarks = parseRemarks(whole.toString("utf8", jsonStart, namesStart));
  if (entries.length !== entryCount || remarks === undefined || !isNested(folders, entryCount))
    return emptyTree;
  return { id, entries, folders, stamps, remarks };
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

/** Whether all entries are there, and going down from folder to folder comes to an end. */
function isNested(folders: Float64Array, entryCount: number): boolean {
  let previous = 0;
  for (let at = 0; at < folders.length; at += FOLDER_WIDTH) {
    const own = folders[at]!;
    const first = folders[at + 1]!;
    if ((own | 0) !== own || own < 0 || own >= first) return false;
    if ((first | 0) !== first || first < previous || first > entryCount) return false;
    // Not so for what is no number, either.
    if (!(folders[at + 2]! >= 1)) return false;
    previous = first;
  }
  return true;
}

function parseRemarks(json: string): Remarks | undefined {
  try {
    const { failures, ignoreFiles } = JSON.parse(json) as Partial<Remarks>;
    const areLists = [failures, ignoreFiles].every(
      (list) => Array.isArray(list) && list.every(Array.isArray),
    );
    return areLists ? { failures: failures!, ignoreFiles: ignoreFiles! } : undefined;
  } catch {
    return undefined;
  }
}
