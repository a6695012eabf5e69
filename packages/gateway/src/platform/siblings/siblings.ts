import type { ConfigTexts } from "../config/load/config-thread.ts";
import type { ReadElsewhere } from "../config/load/watched-config.ts";
import type { Channel } from "./channel.ts";

/** Names the variable of the environment that makes a process a worker; its value says which. */
export const WORKER_VARIABLE = "PORTICO_WORKER";

/** What a worker is told when it starts. */
export interface WorkerStart {
  /** Its place among the workers, from 1 on; the process that replaces it has the same. */
  readonly number: number;
  /** Address of the simulated providers, where no configuration was given. */
  readonly simulatorUrl: string | undefined;
}

/**
 * What a worker reads in place of the file. The primary alone reads that, so that all workers have the same, and one that
 * takes another's place as well, whatever stands in the file by then.
 */
export interface WorkersConfiguration extends ReadElsewhere {
  /** With which the others started; some settings are read at a start alone. */
  readonly atStart: ConfigTexts;
}

/** The other workers of this gateway (`--workers`), as one of them sees them: through the process that started them. */
export interface Siblings {
  /** Its place among the workers. */
  readonly number: number;
  /** To the process that started the workers. */
  readonly primary: Channel;
  /** Tells every other worker. */
  readonly tellOthers: (topic: string, content?: unknown) => void;
}

/** What `tellOthers` sends to the primary, and what reaches the others. */
export interface Relayed {
  readonly topic: string;
  readonly content: unknown;
}

/** Topics between the primary and its workers. */
export const topics = {
  /** Worker: it listens. */
  ready: "ready",
  /** Primary: end. */
  close: "close",
  /** Worker: what to start with. Primary: what was read since. */
  configuration: "configuration",
  /** Worker: to all others. */
  relay: "relay",
  /** Primary: a worker has ended (its number). */
  left: "left",
  /** Both: bring all spend rows into the database. */
  flush: "flush",
  /** Both: figures for `/metrics`. */
  metrics: "metrics",
  /** Primary: calls that are running. */
  running: "running",
  /** Worker to worker. */
  health: "health",
  cache: "cache",
  /** Worker: limits and budgets. */
  claimLimits: "claim-limits",
  finishLimits: "finish-limits",
  claimBudgets: "claim-budgets",
  finishBudgets: "finish-budgets",
  charge: "charge",
  kept: "kept",
  look: "look",
  countersBegun: "counters-begun",
  lower: "lower",
} as const;
