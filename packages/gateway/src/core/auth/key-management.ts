import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import type { Store } from "../../platform/store/schema.ts";
import { sha256 } from "../../util/sha256.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { SpendStore } from "../ledger/spend-store.ts";
import type { Limiter } from "../limits/limiter.ts";
import { EntityStore } from "./entity-store.ts";
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
  const fileKey = (keyHash: string) =>
    config.current.keys.find(({ principal }) => principal.keyHash === keyHash);
  const isOfFile: KeyManagement["isOfFile"] = (kind, id) =>
    (kind === "user" && id === MASTER_USER) ||
    config.current.keys.some(({ principal }) => principal[kind === "user" ? "userId" : "teamId"] === id);
  const isKeyOfFile = (keyHash: string): boolean =>
    fileKey(keyHash) !== undefined ||
    keyHash === sha256(config.current.generalSettings.masterKey ?? generatedMasterKey ?? "");
  return {
    issuer: new KeyIssuer(keys, isKeyOfFile),
    keys,
    entities,
    remembered,
    spend,
    ledger,
    lowering,
    isOfFile,
  };
}
