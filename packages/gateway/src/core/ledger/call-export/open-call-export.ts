import type { RecordTarget } from "../../../platform/config/read/read-callbacks.ts";
import type { FinishedCall, LedgerWatcher } from "../ledger.ts";
import type { SpendRow } from "../spend-tables.ts";
import { RecordSender, type SenderParts } from "./record-sender.ts";
import { payloadOfCall, payloadOfRow } from "./standard-payload.ts";

/** Posts records of calls to the targets of the configuration. */
export interface CallExport extends LedgerWatcher {
  records(row: SpendRow): void;
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>;
}

/** Begins to post a record of each call that ends, and of what providers' batches cost, beside the calls. */
export function openCallExport(targets: readonly RecordTarget[], parts: SenderParts): CallExport {
  const senders = targets.map((target) => ({ target, sender: new RecordSender(target, parts) }));
  const send = (status: string, record: () => object): void => {
    const isSuccess = status === "success";
    const wanting = senders.filter(({ target }) => (isSuccess ? target.ofSuccesses : target.ofFailures));
    if (wanting.length === 0) return;
    const text = JSON.stringify(record());
    for (const { sender } of wanting) sender.add(text);
  };
  return {
    // A call is settled once, though it may be told twice.
    settles: (finished: FinishedCall) => {
      if (finished.call.recorded) return;
      send(finished.call.status, () => payloadOfCall(finished, Date.now()));
    },
    records: (row) => send(row.status, () => payloadOfRow(row)),
    close: async () => {
      await Promise.all(senders.map(({ sender }) => sender.close()));
    },
  };
}
