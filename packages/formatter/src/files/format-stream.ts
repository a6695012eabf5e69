import { type DecodedSource, decodeSource, encodeSource } from "./decode.ts";
import { colorDiff, diffSides, now, renderDiff } from "./diff.ts";
import { utf8 } from "./encodings/utf8.ts";
import { failureMessage } from "./failure-message.ts";
import { formatContents } from "./format-contents.ts";
import { modeForName } from "./format-file.ts";
import type { Job } from "./job.ts";

/** What goes to standard output, and what came of the source. */
export interface StreamResult {
  readonly output: Uint8Array;
  readonly kind: "unchanged" | "changed" | "failed";
  /** The complete message of a failure. */
  readonly message?: string;
}

/** Formats what came on standard input (Black: `format_stdin_to_stdout`); `path` is the name it goes by. */
export function formatStdin(bytes: Uint8Array, path: string, job: Job): StreamResult {
  try {
    return formatText(decodeSource(bytes), path, { ...job, mode: modeForName(job.mode, path) });
  } catch (error) {
    return { output: new Uint8Array(), kind: "failed", message: failureMessage(path, error) };
  }
}

/** Formats the text of `--code`. */
export function formatCode(code: string, job: Job): StreamResult {
  return formatText({ contents: code, codec: utf8, newline: "\n" }, "<string>", job);
}

/** On failure the source itself goes out, so that an editor's buffer survives. */
function formatText(source: DecodedSource, path: string, job: Job): StreamResult {
  const started = now();
  try {
    const output = formatContents(source.contents, job.mode, job);
    const kind = output === source.contents ? "unchanged" : "changed";
    return { output: encodeOutput(source, output, job, started), kind };
  } catch (error) {
    const output = encodeOutput(source, source.contents, job, started);
    return { output, kind: "failed", message: failureMessage(path, error) };
  }
}

function encodeOutput(source: DecodedSource, output: string, job: Job, started: bigint): Uint8Array {
  if (job.writeBack === "check") return new Uint8Array();
  if (job.writeBack === "write") {
    const isOpen = output !== "" && !output.endsWith("\n") && !output.endsWith("\r");
    return encodeSource(isOpen ? `${output}\n` : output, source);
  }
  const diff = renderDiff(source.contents, output, diffSides("STDIN", started, "STDOUT"), false);
  return encodeSource(job.writeBack === "color-diff" ? colorDiff(diff) : diff, source);
}
