import { isatty } from "node:tty";
import { type DestinationStream, pino } from "pino";
import { LineWriter } from "./line-writer.ts";
import { ReadableLines } from "./readable-line.ts";

/** The process's log: one JSON object a line, on a terminal a line for people. */
export type Logger = import("pino").Logger;

/** The log and how to end it. */
export interface OpenLog {
  readonly logger: Logger;
  /** Writes out what is still in memory; safe to call while the process ends. */
  flush(): void;
}

const STANDARD_OUTPUT = 1;

/** Bytes that reach a pipe in one piece, whoever else writes into it (PIPE_BUF of Linux; POSIX, write(2)). */
const PIPE_BYTES = 4096;

/**
 * The log on standard output.
 * @param worker its number, where several processes share it; 0 for the one that started them
 * @param asJson one JSON object a line; else lines for people, as a terminal gets them
 */
export function openLog(level: string, worker?: number, asJson = !isatty(STANDARD_OUTPUT)): OpenLog {
  const destination = new LineWriter(STANDARD_OUTPUT, worker === undefined ? undefined : PIPE_BYTES);
  const flush = (): void => {
    try {
      destination.flushSync();
    } catch {
      // Standard output is gone; there is nobody left to tell.
    }
  };
  const lines = asJson ? destination : new ReadableLines(destination);
  return { logger: makeLogger(level, lines, worker), flush };
}

/** A log into any stream, for tests. */
export function makeLogger(level: string, destination: DestinationStream, worker?: number): Logger {
  const base = worker ? { worker } : null;
  return pino({ level, base, timestamp: isoTime }, new FollowedLines(destination));
}

/** Is told of each line that a log gets, its line feed included; must not throw. */
export type LineFollower = (line: string) => void;

/** Lines that are kept for a follower who comes when the configuration was read: what the start says of it. */
const MAX_EARLY_LINES = 200;

/**
 * Lets somebody see what a log gets, from its first line on.
 * @param follower none where nobody will want it
 */
export function followLines(logger: Logger, follower: LineFollower | undefined): void {
  (logger as unknown as Insides)[pino.symbols.streamSym].follow(follower);
}

/** Writes lines, and shows them to whoever follows. */
class FollowedLines implements DestinationStream {
  readonly #destination: DestinationStream;
  #early: string[] | undefined = [];
  #follower: LineFollower | undefined;

  constructor(destination: DestinationStream) {
    this.#destination = destination;
  }

  write(line: string): void {
    this.#destination.write(line);
    if (this.#follower !== undefined) this.#follower(line);
    else if (this.#early !== undefined && this.#early.length < MAX_EARLY_LINES) this.#early.push(line);
  }

  follow(follower: LineFollower | undefined): void {
    this.#follower = follower;
    if (follower !== undefined) this.#early?.forEach(follower);
    this.#early = undefined;
  }
}

let millisecond = 0;
let written = "";

/** pino's `time` member behind its comma; many lines share a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    written = `,"time":"${new Date(now).toISOString()}"`;
  }
  return written;
}

const levels = { info: 30, error: 50 } as const;

/** What a pino logger keeps behind its symbols. */
interface Insides {
  readonly [pino.symbols.streamSym]: FollowedLines;
  /** Members that the logger adds to each of its lines, each behind its comma. */
  readonly [pino.symbols.chindingsSym]: string;
}

/**
 * Writes lines whose members are JSON text already to where a logger writes, in the logger's own form. For the line
 * that every request leaves: looking through an object of twenty members costs pino several times as much.
 */
export class JsonLines {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param members as `textMember` and `numberMember` make them, one after the other */
  write(level: keyof typeof levels, members: string, message: string): void {
    const logger = this.#logger;
    if (!logger.isLevelEnabled(level)) return;
    const { [pino.symbols.streamSym]: stream, [pino.symbols.chindingsSym]: bindings } =
      logger as unknown as Insides;
    stream.write(
      `{"level":${levels[level]}${isoTime()}${bindings}${members}${textMember("msg", message)}}\n`,
    );
  }
}

/** `,"name":"value"` with the value escaped; nothing where there is none. */
export function textMember(name: string, value: string | undefined): string {
  if (value === undefined) return "";
  return `,"${name}":${needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`}`;
}

/** `,"name":value`; nothing where there is no number. */
export function numberMember(name: string, value: number | undefined): string {
  return value === undefined ? "" : `,"${name}":${Number.isFinite(value) ? value : null}`;
}

/** Members to use in many lines: V8 keeps what was joined in its parts, which each line would join anew. */
export function inOnePiece(members: string): string {
  return Buffer.from(members).toString();
}

/** Everything but visible ASCII without quotes and backslashes. */
const needsEscape = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;
