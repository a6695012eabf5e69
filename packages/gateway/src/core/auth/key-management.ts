import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { SpendStore } from "../ledger/spend-store.ts";
import type { Limiter } from "../limits/limiter.ts";
import { EntityStore } from "./entity-store.ts";
import { FileKeys } from "./file-keys.ts";
import { KeyIssuer } from "./key-issuer.ts";
import { KeyStore } from "./key-store.ts";
import { MASTER_USER } from "./master-principal.ts";
import { StoredKeys } from "./stored-keys.ts";

/** What managing keys needs. */
export interface KeyManagement {
  readonly issuer: KeyIssuer;
  readonly keys: KeyStore;
  readonly entities: EntityStore;
  readonly remembered: StoredKeys;
  readonly spend: SpendStore;
  readonly ledger: Ledger;
  /** @see Budgets.lowering */
  readonly lowering: Limiter["lowering"];
  readonly fileKeys: FileKeys;
  /** Whether keys of the configuration, the master key among them, name a user or a team by this id. */
  readonly isOfFile: (kind: "user" | "team", id: string) => boolean;
}

/** The keys of a store. */
export function openKeys(
  store: Store,
  spend: SpendStore,
  ledger: Ledger,
  config: ConfigSource,
  lowering: Limiter["lowering"],
  generatedMasterKey: string | undefined,
): KeyManagement {
  const keys = new KeyStore(store);
  const entities = new EntityStore(store);
  const remembered = new StoredKeys(keys, entities);
  const fileKeys = new FileKeys(config, generatedMasterKey);
  const isOfFile: KeyManagement["isOfFile"] = (kind, id) =>
    (kind === "user" && id === MASTER_USER) ||
    config.current.keys.some(({ principal }) => principal[kind === "user" ? "userId" : "teamId"] === id);
  return {
    issuer: new KeyIssuer(keys, (keyHash) => fileKeys.find(keyHash) !== undefined),
    fileKeys,
    keys,
    entities,
    remembered,
    spend,
    ledger,
    lowering,
    isOfFile,
  };
}
