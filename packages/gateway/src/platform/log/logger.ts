import { type DestinationStream, pino } from "pino";
import { LineWriter } from "./line-writer.ts";

/** The process's log: one JSON object a line. */
export type Logger = import("pino").Logger;

/** The log and how to end it. */
export interface OpenLog {
  readonly logger: Logger;
  /** Writes out what is still in memory; safe to call while the process ends. */
  flush(): void;
}

const STANDARD_OUTPUT = 1;

/** The log on standard output. */
export function openLog(level: string): OpenLog {
  const destination = new LineWriter(STANDARD_OUTPUT);
  const flush = (): void => {
    try {
      destination.flushSync();
    } catch {
      // Standard output is gone; there is nobody left to tell.
    }
  };
  return { logger: makeLogger(level, destination), flush };
}

/** A log into any stream, for tests. */
export function makeLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: isoTime }, destination);
}

let millisecond = 0;
let written = "";

/** pino's `time` member behind its comma; many lines share a millisecond. */
export function isoTime(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    written = `,"time":"${new Date(now).toISOString()}"`;
  }
  return written;
}
