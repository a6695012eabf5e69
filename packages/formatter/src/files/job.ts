import type { Mode } from "../mode/mode.ts";
import type { FileRecord } from "./cache/file-record.ts";

/** What happens with a file's new contents (Black: WriteBack). */
export type WriteBack = "write" | "check" | "diff" | "color-diff";

/** How the files of a run are handled; plain data, so that a thread can be given it. */
export interface Job {
  readonly mode: Mode;
  readonly pythonCellMagics: readonly string[];
  readonly fast: boolean;
  readonly writeBack: WriteBack;
  /** Whether to return what the cache needs. */
  readonly wantsRecord: boolean;
  /** Whether its records have digests. */
  readonly wantsDigests?: boolean;
  /** Whether a changed text's diff is part of the result, beside what is written back. */
  readonly wantsDiffText?: boolean;
  /** 1-based line ranges, both ends included; empty for whole files. */
  readonly lineRanges: readonly (readonly [number, number])[];
}

/** What formatting a text depends on, besides its mode. */
export type ContentsJob = Pick<Job, "pythonCellMagics" | "fast" | "lineRanges">;

/** What came of one file. */
export type FileResult =
  | {
      readonly kind: "unchanged" | "changed";
      /** For the cache: the file as it now is. */
      readonly record?: FileRecord;
      /** The diff as bytes in the file's encoding. */
      readonly diff?: Uint8Array;
      /** The diff as text, in place of its bytes. */
      readonly diffText?: string;
      /** Where a changed text first differs from the source: 1-based line of the source. */
      readonly line?: number;
    }
  | {
      readonly kind: "failed";
      /** The whole line as Black prints it, without colour. */
      readonly message: string;
      /** Where in the source, when that is known: 1-based line and column. */
      readonly place?: { readonly line: number; readonly column: number };
      /** For the cache, when the source is at fault. */
      readonly record?: FileRecord;
    };
