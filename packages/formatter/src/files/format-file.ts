import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import type { Mode } from "../mode/mode.ts";
import { JsonError } from "../notebook/python-json.ts";
import { ParseError } from "../parse/errors.ts";
import { digestOf } from "./cache/cache.ts";
import { type DecodedSource, decodeSource, encodeSource } from "./decode.ts";
import { colorDiff, diffSides, renderDiff } from "./diff.ts";
import { failureMessage } from "./failure-message.ts";
import { formatContents } from "./format-contents.ts";
import type { FileResult, Job } from "./job.ts";
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
    const place =
      error instanceof ParseError ? { place: { line: error.line, column: error.column + 1 } } : {};
    return { kind: "failed", message: failureMessage(path, reason), ...place };
  }
}

function tryFormatFile(path: string, job: Job): FileResult {
  const mode = modeForName(job.mode, path);
  const isDiff = job.writeBack === "diff" || job.writeBack === "color-diff";
  const modified = isDiff ? statSync(path, { bigint: true }).mtimeNs / 1000n : 0n;
  const bytes = readFileSync(path);
  const headerLength = mode.skipSourceFirstLine ? firstLineLength(bytes) : 0;
  const source = decodeSource(headerLength === 0 ? bytes : bytes.subarray(headerLength));
  const output = formatContents(source.contents, mode, job);
  if (output === source.contents) return withRecord({ kind: "unchanged" }, path, bytes, job);
  const header = decodeHeader(bytes.subarray(0, headerLength), source);
  if (job.writeBack === "write") {
    const written = encodeSource(header + output, source);
    writeFile(path, written);
    return withRecord({ kind: "changed" }, path, written, job);
  }
  if (!isDiff) return { kind: "changed" };
  const sides = diffSides(path, modified, path);
  const diff = renderDiff(header + source.contents, header + output, sides, mode.isIpynb);
  return {
    kind: "changed",
    diff: encodeSource(job.writeBack === "color-diff" ? colorDiff(diff) : diff, source),
  };
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

function withRecord(
  result: { kind: "unchanged" | "changed" },
  path: string,
  bytes: Uint8Array,
  job: Job,
): FileResult {
  if (!job.wantsRecord) return result;
  return { ...result, record: [statSync(path).mtimeMs, bytes.length, digestOf(bytes)] };
}
