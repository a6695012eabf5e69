import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Ledger } from "./ledger.ts";

/** A ledger that counts for the metrics what it settles. */
export function meteredLedger(ledger: Ledger, metrics: Metrics): Ledger {
  return {
    settle: (finished) => {
      if (!finished.call.recorded) metrics.call(finished.call);
      ledger.settle(finished);
    },
    flush: () => ledger.flush(),
    close: () => ledger.close(),
  };
}
