import type { Ledger } from "./ledger.ts";

/** The ledger of a gateway without a store: nothing is kept. */
export const noLedger: Ledger = {
  settle: () => {},
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
