import type { JsonObject } from "../../contract/json.ts";
import type { Store } from "../store/schema.ts";

/** A job in a worker's hands. It stays there until it is settled or its lease runs out. */
export interface Lease {
  readonly queue: string;
  readonly key: string;
  readonly payload: JsonObject;
  /** What the last holder of the job had saved. */
  readonly checkpoint: JsonObject | undefined;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Tells this lease from later ones of the same job. */
  readonly token: string;
}

export type JobState = "waiting" | "running" | "finished" | "failed" | "cancelled";

export interface JobView {
  readonly state: JobState;
  readonly payload: JsonObject;
  readonly checkpoint: JsonObject | undefined;
  readonly attempt: number;
  /** Why the last attempt failed. */
  readonly error: string | undefined;
}

/** Jobs of one queue that are not settled. */
export interface QueueDepth {
  readonly queue: string;
  /** Those for later included. */
  readonly waiting: number;
  readonly running: number;
}

export interface EnqueueOptions {
  /** Milliseconds since the epoch before which no worker gets it. */
  readonly runAt?: number;
  /** Higher ones first; 0 by default. */
  readonly priority?: number;
  /** Attempts, lost leases included, after which the job counts as failed; 25 by default. */
  readonly maxAttempts?: number;
  /** A transaction that the job is part of: it is there when that commits, and only then. */
  readonly within?: Store["db"];
}

/** Milliseconds. Long enough for a stalled event loop, short enough that a killed worker's job goes on soon. */
export const DEFAULT_LEASE_MS = 15_000;

export const DEFAULT_MAX_ATTEMPTS = 25;

/**
 * Durable work, one contract over both stores: what `enqueue` has accepted survives `kill -9` of any process, and a
 * job whose worker died is leased again once its lease is over. A job may therefore run more than once: handlers
 * continue from the checkpoint. Every call on a lease answers whether the lease was still held; after `false` the
 * job belongs to somebody else and nothing was changed.
 */
export interface JobQueue {
  /** Adds a job; `false` when one with this key is waiting or running already. A settled one is replaced. */
  enqueue(queue: string, key: string, payload: JsonObject, options?: EnqueueOptions): Promise<boolean>;
  /** Up to `count` jobs that are due, oldest first within a priority. */
  lease(queue: string, count: number, leaseMs?: number): Promise<Lease[]>;
  /** Holds the job for another `leaseMs` from now. */
  renew(lease: Lease, leaseMs?: number): Promise<boolean>;
  /** Saves how far the job got. */
  checkpoint(lease: Lease, value: JsonObject): Promise<boolean>;
  finish(lease: Lease): Promise<boolean>;
  /** Gives the job back after an error, to be tried again at `runAt`; failed for good once its attempts are used up. */
  fail(lease: Lease, error: string, runAt: number): Promise<boolean>;
  /** Gives the job back without an error, to go on at `runAt`; does not count as an attempt. */
  schedule(lease: Lease, runAt: number): Promise<boolean>;
  /** Ends a job that is not settled yet; its holder loses the lease. */
  cancel(queue: string, key: string): Promise<boolean>;
  find(queue: string, key: string): Promise<JobView | undefined>;
  /** How much there is to do; up to a minute old on PostgreSQL, where the engine counts now and then. */
  depths(): Promise<QueueDepth[]>;
  /**
   * Forgets jobs that are settled and were due before a time (milliseconds), at most so many.
   * @returns how many
   */
  removeSettled(before: number, limit: number): Promise<number>;
  close(): Promise<void>;
}
