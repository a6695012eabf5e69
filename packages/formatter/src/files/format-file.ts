import { statSync } from "node:fs";
import { extname } from "node:path";
import type { Mode } from "../mode/mode.ts";
import { JsonError } from "../notebook/python-json.ts";
import { ParseError } from "../parse/errors.ts";
import { digestOf } from "./cache/digest.ts";
import type { FileRecord } from "./cache/file-record.ts";
import { type DecodedSource, decodeSource, encodeSource } from "./decode.ts";
import { colorDiff, diffSides, pythonMicroseconds, renderDiff } from "./diff.ts";
import { failureMessage, placeOf } from "./failure-message.ts";
import { formatContents } from "./format-contents.ts";
import type { FileResult, Job } from "./job.ts";
import { readWhole } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

/** The mode with what the file's name says about it. */
export function modeForName(mode: Mode, path: string): Mode {
  const extension = extname(path);
  if (extension === ".pyi") return { ...mode, isPyi: true };
  return extension === ".ipynb" ? { ...mode, isIpynb: true } : mode;
}

/** Formats one file as the job says (Black: `format_file_in_place`). Never throws. */
export function formatFile(path: string, job: Job): FileResult {
  try {
    return tryFormatFile(path, job);
  } catch (error) {
    const reason =
      error instanceof JsonError
        ? new Error(`File '${path}' cannot be parsed as valid Jupyter notebook.`)
        : error;
    return { kind: "failed", message: failureMessage(path, reason) };
  }
}

function tryFormatFile(path: string, job: Job): FileResult {
  // The time is from before the bytes: a change in between then has a time that is not recorded.
  const { bytes, mtimeMs } = readWhole(path);
  try {
    return formatBytes(path, bytes, mtimeMs, job);
  } catch (error) {
    if (error instanceof ParseError) return notPython(path, error, recordOf(bytes, mtimeMs, job));
    throw error;
  }
}

function notPython(path: string, error: ParseError, record: FileRecord | undefined): FileResult {
  const message = failureMessage(path, error);
  const place = placeOf(error);
  const failed = { kind: "failed", message, place } as const;
  return record === undefined
    ? failed
    : { ...failed, record: { ...record, failure: { path, message, place } } };
}

function formatBytes(path: string, bytes: Uint8Array, mtimeMs: number, job: Job): FileResult {
  const mode = modeForName(job.mode, path);
  const isDiff = job.writeBack === "diff" || job.writeBack === "color-diff";
  const wantsDiff = isDiff || (job.wantsDiffText === true && job.writeBack === "check");
  const modified = wantsDiff ? pythonMicroseconds(statSync(path, { bigint: true }).mtimeNs) : 0n;
  const headerLength = mode.skipSourceFirstLine ? firstLineLength(bytes) : 0;
  const source = decodeSource(headerLength === 0 ? bytes : bytes.subarray(headerLength));
  const output = formatContents(source.contents, mode, job);
  if (output === source.contents) return withRecord("unchanged", recordOf(bytes, mtimeMs, job));
  const header = decodeHeader(bytes.subarray(0, headerLength), source);
  if (job.writeBack === "write") {
    const written = encodeSource(header + output, source);
    writeFile(path, written, mtimeMs);
    return withRecord("changed", recordOf(written, statSync(path).mtimeMs, job));
  }
  const line = (headerLength === 0 ? 0 : 1) + firstDifferentLine(source.contents, output);
  if (!wantsDiff) return { kind: "changed", line };
  const sides = diffSides(path, modified, path);
  const diff = renderDiff(header + source.contents, header + output, sides, mode.isIpynb);
  if (job.wantsDiffText === true) return { kind: "changed", line, diffText: diff };
  return {
    kind: "changed",
    line,
    diff: encodeSource(job.writeBack === "color-diff" ? colorDiff(diff) : diff, source),
  };
}

/** So much of two texts is compared at once. */
const PIECE = 4096;

/** 1-based. */
export function firstDifferentLine(source: string, output: string): number {
  let same = 0;
  while (same + PIECE <= output.length && source.startsWith(output.slice(same, same + PIECE), same))
    same += PIECE;
  while (same < source.length && source[same] === output[same]) same++;
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < same; at = source.indexOf("\n", at + 1)) line++;
  return line;
}

function firstLineLength(bytes: Uint8Array): number {
  const end = bytes.indexOf(10);
  return end === -1 ? bytes.length : end + 1;
}

/** The skipped first line, with an LF where it had the file's line end. */
function decodeHeader(bytes: Uint8Array, source: DecodedSource): string {
  if (bytes.length === 0) return "";
  const header = source.codec.decode(bytes);
  if (source.newline === "\n" || !header.endsWith(source.newline)) return header;
  return `${header.slice(0, -source.newline.length)}\n`;
}

function recordOf(bytes: Uint8Array, mtimeMs: number, job: Job): FileRecord | undefined {
  return job.wantsRecord
    ? { mtimeMs, size: bytes.length, digest: job.wantsDigests ? digestOf(bytes) : "" }
    : undefined;
}

function withRecord(kind: "unchanged" | "changed", record: FileRecord | undefined): FileResult {
  return record === undefined ? { kind } : { kind, record };
}
