import type { CallRecord } from "../../contract/call-record.ts";
import type { Principal } from "../../contract/principal.ts";

/** A finished call as the ledger takes it. */
export interface FinishedCall {
  readonly callId: string;
  readonly principal: Principal;
  readonly call: CallRecord;
}

/** Writes one spend row for each finished call, in batches, durable within a second. */
export interface Ledger {
  /**
   * Records the call's row (once: a second time for the same call id is ignored) and adds its cost to the key's
   * spend. Returns at once; `flush` waits for the disk.
   */
  settle(finished: FinishedCall): void;
  /** Resolves when everything settled so far is durable. */
  flush(): Promise<void>;
  /** Flushes and stops. */
  close(): Promise<void>;
}
