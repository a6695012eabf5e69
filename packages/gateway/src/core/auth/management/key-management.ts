import { defined, type JsonObject } from "../../../contract/json.ts";
import type { ConfigSource, GatewayConfig } from "../../../platform/config/gateway-config.ts";
import type { KeyMakers } from "../../../platform/config/options/key-makers.ts";
import { ROLES_BY_DEFAULT } from "../../../platform/config/options/key-terms.ts";
import type { Logger } from "../../../platform/log/logger.ts";
import { type Store, storeOfCalls } from "../../../platform/store/schema.ts";
import type { SealedText } from "../../../platform/store/sealed-text.ts";
import { type Timezone, timezoneIn } from "../../ledger/budget-window.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { Rollovers } from "../../ledger/rollover.ts";
import type { SpendStore } from "../../ledger/spend-store.ts";
import type { Limiter } from "../../limits/limiter.ts";
import type { PriorityShares } from "../fields/known-metadata.ts";
import type { CallbackRules } from "../fields/own-callbacks.ts";
import { FileKeys } from "../issue/file-keys.ts";
import { KeyIssuer } from "../issue/key-issuer.ts";
import { MASTER_USER } from "../master-principal.ts";
import { NamedDefaults } from "../named-defaults.ts";
import { type Change, type Changer, change } from "../records/change.ts";
import { EntityStore } from "../records/entity-store.ts";
import { KeyStore } from "../records/key-store.ts";
import { StoredKeys } from "../stored-keys.ts";

/** What managing keys needs. */
export interface KeyManagement extends CallbackRules {
  readonly issuer: KeyIssuer;
  readonly keys: KeyStore;
  readonly entities: EntityStore;
  /** The same for what calls wait for. */
  readonly entitiesOfCalls: EntityStore;
  readonly remembered: StoredKeys;
  readonly spend: SpendStore;
  readonly ledger: Ledger;
  /** @see Budgets.lowering */
  readonly lowering: Limiter["lowering"];
  readonly fileKeys: FileKeys;
  readonly timezone: Timezone;
  /** US dollars that all calls together may cost. */
  readonly maxBudget: () => number | undefined;
  /** What new internal users have where nothing else is said. */
  readonly userDefaults: () => JsonObject;
  /** What teams have that the gateway makes itself. */
  readonly teamDefaults: () => JsonObject;
  /** Who makes keys among those who may. */
  readonly keyMakers: () => KeyMakers;
  readonly rollovers: Rollovers;
  readonly priorityShares: PriorityShares;
  /** Whether tokens, or the claims of who signs in, name teams by their aliases. */
  readonly tokensNameAliases: () => boolean;
  /** Whether keys of the configuration, the master key among them, name a user or a team by this id. */
  readonly isOfFile: (kind: "user" | "team", id: string) => boolean;
}

/** Runs a change and forgets what is remembered of keys and of what stands above them, so that it is in force at once. */
export async function changeAtOnce<T>(
  { entities, remembered }: Pick<KeyManagement, "entities" | "remembered">,
  changer: Changer,
  work: (under: Change) => Promise<T>,
): Promise<T> {
  const done = await change(entities.store, changer, work);
  remembered.forget();
  return done;
}

/** The keys of a store. */
export function openKeys(
  store: Store,
  spend: SpendStore,
  ledger: Ledger,
  config: ConfigSource,
  lowering: Limiter["lowering"],
  generatedMasterKey: string | undefined,
  logger: Logger,
  seal: SealedText,
): KeyManagement {
  const rules = { seal, allowsPrivateNetworks: () => config.current.gatewaySettings.allowPrivateNetworks };
  const keys = new KeyStore(store);
  const entities = new EntityStore(store);
  const ofCalls = storeOfCalls(store);
  const entitiesOfCalls = new EntityStore(ofCalls);
  const defaults = new NamedDefaults(config, logger);
  const remembered = new StoredKeys(
    new KeyStore(ofCalls),
    entitiesOfCalls,
    defaults,
    () => config.current.generalSettings.allowRequestsOnDbUnavailable,
  );
  const fileKeys = new FileKeys(config, generatedMasterKey);
  const look = (): void => void tellOfTwin(keys, fileKeys.masterHash, logger);
  look();
  config.subscribe(look);
  const isOfFile: KeyManagement["isOfFile"] = (kind, id) =>
    (kind === "user" && id === MASTER_USER) || config.current.keys.isOwner(kind, id);
  const timezone = timezoneIn(config);
  const priorityShares: PriorityShares = () => config.current.gatewaySettings.priorityReservation;
  return {
    timezone,
    userDefaults: () => userDefaultsIn(config.current),
    teamDefaults: () => config.current.gatewaySettings.defaultTeamParams ?? {},
    keyMakers: () => config.current.gatewaySettings.keyGenerationSettings,
    maxBudget: () => config.current.gatewaySettings.maxBudget,
    rollovers: new Rollovers(store, timezone),
    issuer: new KeyIssuer(
      keys,
      (keyHash) => fileKeys.find(keyHash) !== undefined,
      rules,
      () => ({
        defaults: config.current.gatewaySettings.defaultKeyGenerateParams,
        bounds: config.current.gatewaySettings.upperboundKeyGenerateParams,
      }),
      priorityShares,
    ),
    priorityShares,
    tokensNameAliases: () =>
      [config.current.tokens, config.current.sso?.claims].some((settings) =>
        settings?.issuers.some(({ claims }) => claims.teamAliasJwtField !== undefined),
      ),
    fileKeys,
    keys,
    entities,
    entitiesOfCalls,
    remembered,
    spend,
    ledger,
    lowering,
    isOfFile,
    ...rules,
  };
}

function userDefaultsIn({ gatewaySettings }: GatewayConfig): JsonObject {
  const { maxInternalUserBudget, internalUserBudgetDuration, defaultInternalUserParams } = gatewaySettings;
  const { teams: _, available_teams: __, user_role: role, ...given } = defaultInternalUserParams ?? {};
  return defined({
    max_budget: maxInternalUserBudget,
    budget_duration: internalUserBudgetDuration,
    ...given,
    user_role: ROLES_BY_DEFAULT.find((one) => one === role),
  });
}

/** A key that was made before its text became the master key: it may do everything, whatever the store says of it. */
async function tellOfTwin(keys: KeyStore, masterHash: string | undefined, logger: Logger): Promise<void> {
  const twin = masterHash === undefined ? undefined : await keys.find(masterHash).catch(() => undefined);
  if (twin !== undefined)
    logger.warn(
      { key_alias: twin.key_alias, key_name: twin.key_name },
      "a key of the store has the master key's text, so that none of its limits holds: choose another master key",
    );
}
