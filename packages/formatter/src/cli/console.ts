import { fstatSync, statSync, writeSync } from "node:fs";
import { areColorsAllowed, type Style, styled } from "./style.ts";

/** Where a run's messages and output go. */
export interface Console {
  /** A line on standard error. */
  message(text: string, ...styles: Style[]): void;
  /** Bytes on standard output, as they are. */
  output(bytes: Uint8Array | string): void;
  /** The text in the styles, if standard error shows them. */
  style(text: string, ...styles: Style[]): string;
}

/** `devNull` of `node:os`, which takes a while to load. */
const NULL_DEVICE = process.platform === "win32" ? String.raw`\\.\nul` : "/dev/null";

/** The process's own streams; styles only reach a terminal. */
export function processConsole(): Console {
  const hasStyles = areColorsAllowed() && isTerminal(2);
  const style = (text: string, ...styles: Style[]): string =>
    hasStyles && styles.length > 0 ? styled(text, ...styles) : text;
  return {
    style,
    message: (text, ...styles) => writeAll(2, Buffer.from(`${style(text, ...styles)}\n`)),
    output: (bytes) => writeAll(1, typeof bytes === "string" ? Buffer.from(bytes) : bytes),
  };
}

/** Whether the descriptor is a terminal. What is no device, or the null device, is none: Node need not load what asks. */
export function isTerminal(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isCharacterDevice() || stats.rdev === statSync(NULL_DEVICE).rdev) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

/** Writes everything before it returns, so that nothing is lost when the process ends; a closed pipe ends it quietly. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else if (code === "EPIPE") process.exit(141);
      else fail(descriptor, error);
    }
  }
}

/** Ends the run where its results cannot be written, such as on a full disk. */
function fail(descriptor: number, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  if (descriptor === 1) {
    try {
      writeSync(2, `error: standard output cannot be written: ${reason}\n`);
    } catch {
      // There is nobody to tell.
    }
  }
  process.exit(123);
}
