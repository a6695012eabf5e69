import type { IncomingHttpHeaders } from "node:http";
import { type Fault, parseFault } from "./fault.ts";

/** How an answer is sent: what goes wrong, how late, in which pieces. All times in milliseconds. */
export interface Behaviour {
  readonly fault?: Fault;
  /** Wait before the status line. */
  readonly latencyMs?: number;
  /** Wait between the headers and the first body byte. */
  readonly ttftMs?: number;
  /** Wait between two pieces of the body. */
  readonly chunkDelayMs?: number;
  /** Size of the pieces the body is written in, whatever its events are. */
  readonly chunkBytes?: number;
  /** Length of the answer in tokens. */
  readonly tokens?: number;
}

/** An answer sent at once and whole. */
export const plainBehaviour: Behaviour = Object.freeze({});

/** Reads the `x-sim-*` request headers. */
export function behaviourFromHeaders(headers: IncomingHttpHeaders): Behaviour {
  return behaviourFrom({
    fault: headers["x-sim-fault"],
    latencyMs: headers["x-sim-latency-ms"],
    ttftMs: headers["x-sim-ttft-ms"],
    chunkDelayMs: headers["x-sim-chunk-delay-ms"],
    chunkBytes: headers["x-sim-chunk-bytes"],
    tokens: headers["x-sim-tokens"],
  });
}

/** Makes a behaviour of loosely typed settings (header texts, members of an admin request). */
export function behaviourFrom(settings: Readonly<Record<string, unknown>>): Behaviour {
  const behaviour: { -readonly [K in keyof Behaviour]: Behaviour[K] } = {};
  const fault = typeof settings.fault === "string" ? parseFault(settings.fault) : undefined;
  if (fault !== undefined) behaviour.fault = fault;
  for (const key of ["latencyMs", "ttftMs", "chunkDelayMs", "chunkBytes", "tokens"] as const) {
    const value = settings[key];
    if (value === undefined || value === "") continue;
    const amount = Number(value);
    const least = key === "chunkBytes" ? 1 : 0;
    if (Number.isFinite(amount) && amount >= least) behaviour[key] = Math.floor(amount);
  }
  return behaviour;
}

/** The second behaviour laid over the first. */
export function mergeBehaviour(base: Behaviour, over: Behaviour): Behaviour {
  return { ...base, ...over };
}
