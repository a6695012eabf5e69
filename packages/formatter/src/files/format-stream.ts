import { ParseError } from "../parse/errors.ts";
import { newlineOfFirstLine, withLf } from "../util/newline.ts";
import { type DecodedSource, decodeSource, encodeSource } from "./decode.ts";
import { colorDiff, diffSides, now, renderDiff } from "./diff.ts";
import { detectEncoding } from "./encodings/detect.ts";
import { utf8 } from "./encodings/utf8.ts";
import { failureMessage, placeOf } from "./failure-message.ts";
import { formatContents } from "./format-contents.ts";
import { firstDifferentLine, modeForName } from "./format-file.ts";
import type { FileResult, Job } from "./job.ts";

/** What goes to standard output, and what came of the source. */
export interface StreamResult {
  readonly output: Uint8Array;
  readonly result: FileResult;
}

/** Formats what came on standard input (Black: `format_stdin_to_stdout`); `path` is the name it goes by. */
export function formatStdin(bytes: Uint8Array, path: string, job: Job): StreamResult {
  try {
    return formatText(decodeSource(bytes), path, { ...job, mode: modeForName(job.mode, path) });
  } catch (error) {
    return { output: new Uint8Array(), result: failed(path, error) };
  }
}

/** Formats the text of `--code`. An encoding that it declares does not apply to it, but has to be a known one. */
export function formatCode(code: string, job: Job): StreamResult {
  const source = { contents: withLf(code), codec: utf8, newline: newlineOfFirstLine(code) };
  return formatText(source, "<string>", job, () => detectEncoding(Buffer.from(code)));
}

/** On failure the source itself goes out, so that an editor's buffer survives. */
function formatText(source: DecodedSource, path: string, job: Job, check?: () => void): StreamResult {
  const started = now();
  try {
    check?.();
    const output = formatContents(source.contents, job.mode, job);
    const result: FileResult =
      output === source.contents
        ? { kind: "unchanged" }
        : {
            kind: "changed",
            line: firstDifferentLine(source.contents, output),
            ...(job.wantsDiffText === true ? { diffText: diffOf(source, output, started) } : {}),
          };
    return { output: encodeOutput(source, output, job, started), result };
  } catch (error) {
    const output = encodeOutput(source, source.contents, job, started);
    return { output, result: failed(path, error) };
  }
}

function failed(path: string, error: unknown): FileResult {
  const place = error instanceof ParseError ? { place: placeOf(error) } : {};
  return { kind: "failed", message: failureMessage(path, error), ...place };
}

function encodeOutput(source: DecodedSource, output: string, job: Job, started: bigint): Uint8Array {
  if (job.writeBack === "check") return new Uint8Array();
  if (job.writeBack === "write") {
    const isOpen = output !== "" && !output.endsWith("\n") && !output.endsWith("\r");
    return encodeSource(isOpen ? `${output}\n` : output, source);
  }
  const diff = diffOf(source, output, started);
  return encodeSource(job.writeBack === "color-diff" ? colorDiff(diff) : diff, source);
}

function diffOf(source: DecodedSource, output: string, started: bigint): string {
  return renderDiff(source.contents, output, diffSides("STDIN", started, "STDOUT"), false);
}
