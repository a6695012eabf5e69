import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { Store } from "../../platform/store/schema.ts";
import { journalRoot } from "./journal/journal-files.ts";
import { SegmentWriter } from "./journal/segment-writer.ts";
import { WriterClient } from "./journal/writer-client.ts";
import { JournaledLedger } from "./journaled-ledger.ts";
import { type Ledger, noLedger } from "./ledger.ts";

interface LedgerParts {
  readonly store: Store | undefined;
  readonly dataDirectory: string;
  readonly config: { readonly current: Pick<GatewayConfig, "generalSettings" | "gatewaySettings"> };
  readonly logger: Logger;
}

/** The ledger on the store, with its journal in the data directory; without a store none. */
export function openLedger({ store, dataDirectory, config, logger }: LedgerParts): Ledger {
  if (store === undefined) return noLedger;
  const root = journalRoot(dataDirectory);
  const journal = new SegmentWriter({
    root,
    config,
    onChange: (failure) => {
      if (failure === undefined) logger.warn("the spend journal takes rows again");
      else
        logger.error(
          { error: describeError(failure) },
          "the spend journal takes no rows: they are in memory until the database has them",
        );
    },
  });
  journal.open();
  return new JournaledLedger(
    journal,
    new WriterClient({ location: store.location, root }, logger),
    logger,
    config,
  );
}
