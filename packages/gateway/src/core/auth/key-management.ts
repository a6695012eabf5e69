import type { Store } from "../../platform/store/store.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { SpendStore } from "../ledger/spend-store.ts";
import { KeyIssuer } from "./key-issuer.ts";
import { KeyStore } from "./key-store.ts";
import { StoredKeys } from "./stored-keys.ts";

/** What managing keys needs. */
export interface KeyManagement {
  readonly issuer: KeyIssuer;
  readonly keys: KeyStore;
  readonly remembered: StoredKeys;
  readonly spend: SpendStore;
  readonly ledger: Ledger;
}

/** The keys of a store. */
export function openKeys(store: Store, spend: SpendStore, ledger: Ledger): KeyManagement {
  const keys = new KeyStore(store);
  return { issuer: new KeyIssuer(keys), keys, remembered: new StoredKeys(keys), spend, ledger };
}
