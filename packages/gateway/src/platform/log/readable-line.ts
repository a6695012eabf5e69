import type { DestinationStream } from "pino";
import { parseJsonObject } from "../../contract/json.ts";

const LEVELS: Readonly<Record<number, string>> = {
  10: "TRACE",
  20: "DEBUG",
  30: "INFO",
  40: "WARN",
  50: "ERROR",
  60: "FATAL",
};

/** Writes a log's lines for people: the time of day, the level, what happened, and the rest as `name=value`. */
export class ReadableLines implements DestinationStream {
  readonly #destination: DestinationStream;

  constructor(destination: DestinationStream) {
    this.#destination = destination;
  }

  write(line: string): void {
    this.#destination.write(readableLine(line));
  }
}

/**
 * A line of the log as a terminal shows it; one that is no JSON object as it is.
 * @param line with its line feed
 */
export function readableLine(line: string): string {
  const entry = parseJsonObject(line);
  if (entry === undefined) return line;
  const { level, time, msg = "", ...rest } = entry;
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`);
  const clock = new Date(String(time)).toLocaleTimeString("en-GB");
  const words = [clock, (LEVELS[Number(level)] ?? String(level)).padEnd(5), String(msg), ...fields];
  return `${printable(words.join(" ").trimEnd())}\n`;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/** Names come from requests: what steers terminals is left out. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, "");
}
