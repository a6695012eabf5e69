import type { CallRecord } from "../../contract/call-record.ts";
import type { Principal } from "../../contract/principal.ts";
import { type Siblings, topics } from "../../platform/siblings/siblings.ts";
import type { ScopeWindow } from "./budget-window.ts";
import type { SpendRow } from "./spend-tables.ts";

/** A call's shares of budgets, which its row ends: what it cost counts in the window in which it began. */
export interface Hold {
  /** The id of the row. */
  readonly id: string;
  /** Milliseconds since the epoch; `undefined` for a budget without windows. */
  readonly windowStart: number | undefined;
  /** The scopes beside the key in which it counts, too. */
  readonly scopes: readonly ScopeWindow[];
}

/** A finished call as the ledger takes it. */
export interface FinishedCall {
  readonly callId: string;
  readonly principal: Principal;
  readonly call: CallRecord;
  /** Absent for a call without a budget, and for one whose shares outlive it. */
  readonly hold: Hold | undefined;
  /** Its shares of the budgets of its deployment. */
  readonly ofDeployment?: Hold | undefined;
}

/** The one way of every row into the spend log. */
export interface Ledger {
  /**
   * Records the call's row (once: a second time for the same record is ignored) and adds its cost to the key's spend.
   * When it returns, the row survives the end of this process; an answer's last byte is sent only then.
   */
  settle(finished: FinishedCall): void;
  /**
   * As `settle`, in one write with the other calls that end in this turn of the event loop.
   * @returns resolves when the row survives the end of this process; `undefined` when there is nothing to wait for
   */
  settleTogether(finished: FinishedCall): Promise<void> | undefined;
  /**
   * Records a row of what was no call of its own, as `settle` does; one whose id is there already is left out.
   * @param owner whose budget it counts in
   */
  record(row: SpendRow, owner: Pick<Principal, "limits" | "scopes">): void;
  /** Resolves when everything recorded so far survives a power cut. */
  durable(): Promise<void>;
  /**
   * Resolves when everything recorded so far is in the store, or the store does not take it at the moment.
   * @param afresh also what other processes in the data directory left that have ended by now
   * @returns whether the store has it
   */
  flush(afresh?: boolean): Promise<boolean>;
  /** How it goes with rows that are not in the store yet; absent where none are kept. */
  readonly state: LedgerState | undefined;
  /** Flushes and stops. */
  close(): Promise<void>;
}

/** Rows on their way into the store. */
export interface LedgerState {
  /** Bytes of the journals of all processes in the data directory. */
  readonly journalBytes: number;
  /** Rows that the journal did not take, and that would be lost with this process. */
  readonly rowsInMemory: number;
  /** Rows that were given up, or that the store refused. */
  readonly rowsLost: number;
}

/** The ledger of one of several workers: whoever waits for the rows waits for those of all workers. */
export function workersLedger(ledger: Ledger, { primary }: Siblings): Ledger {
  return {
    settle: (finished) => ledger.settle(finished),
    settleTogether: (finished) => ledger.settleTogether(finished),
    record: (row, owner) => ledger.record(row, owner),
    durable: () => ledger.durable(),
    // A primary that cannot bring them there says so; what is there is read all the same, as without workers.
    flush: (afresh) =>
      primary.ask(topics.flush, afresh).then(
        () => true,
        () => false,
      ),
    get state() {
      return ledger.state;
    },
    close: () => ledger.close(),
  };
}

/** Is told of everything that passes a ledger, before the ledger is. */
export interface LedgerWatcher {
  settles(finished: FinishedCall): void;
  records?(row: SpendRow, owner: Pick<Principal, "limits" | "scopes">): void;
}

/** A ledger with some who watch it. */
export function watchedLedger(ledger: Ledger, watchers: readonly LedgerWatcher[]): Ledger {
  if (watchers.length === 0) return ledger;
  const settles = (finished: FinishedCall): void => {
    for (const watcher of watchers) watcher.settles(finished);
  };
  return {
    settle: (finished) => {
      settles(finished);
      ledger.settle(finished);
    },
    settleTogether: (finished) => {
      settles(finished);
      return ledger.settleTogether(finished);
    },
    record: (row, owner) => {
      for (const watcher of watchers) watcher.records?.(row, owner);
      ledger.record(row, owner);
    },
    durable: () => ledger.durable(),
    flush: (afresh) => ledger.flush(afresh),
    get state() {
      return ledger.state;
    },
    close: () => ledger.close(),
  };
}

/** The ledger of a gateway without a store: nothing is kept. */
export const noLedger: Ledger = {
  settle: tellTrace,
  settleTogether: (finished) => {
    tellTrace(finished);
    return undefined;
  },
  record: () => {},
  durable: () => Promise.resolve(),
  flush: () => Promise.resolve(true),
  state: undefined,
  close: () => Promise.resolve(),
};

function tellTrace({ call, callId, principal }: FinishedCall): void {
  if (call.recorded) return;
  call.recorded = true;
  call.trace?.callEnded({ callId, principal, record: call });
}
