import type { Principal } from "../contract/principal.ts";
import { dialectOf } from "../formats/registry.ts";
import { countTokensApart } from "../formats/tokens/count-apart.ts";
import type { ConfigSource } from "../platform/config/gateway-config.ts";
import { METRICS_CALLBACK } from "../platform/config/options/callbacks.ts";
import { describeError } from "../platform/log/describe-error.ts";
import { Metrics } from "../platform/metrics/metrics.ts";
import type { Platform } from "../platform/open-platform.ts";
import { SettingsStore } from "../platform/store/settings-store.ts";
import type { Store } from "../platform/store/store.ts";
import { findProvider, providerNames } from "../providers/registry.ts";
import { sha256 } from "../util/sha256.ts";
import { Authenticator } from "./auth/authenticate.ts";
import { mayUseDeployment } from "./auth/deployment-permission.ts";
import { type KeyManagement, openKeys } from "./auth/key-management.ts";
import type { CallDeps } from "./call/model-call.ts";
import { HookRegistry } from "./hooks/hook-registry.ts";
import { HookRunner } from "./hooks/hook-runner.ts";
import type { IdempotentAnswers } from "./idempotency/idempotent-answers.ts";
import { openIdempotency } from "./idempotency/idempotent-routes.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { meteredLedger } from "./ledger/metered-ledger.ts";
import { noLedger } from "./ledger/no-ledger.ts";
import { SpendStore } from "./ledger/spend-store.ts";
import { StoreLedger } from "./ledger/store-ledger.ts";
import { warnedCost } from "./ledger/warned-cost.ts";
import { openLimiter } from "./limits/open-limiter.ts";
import { YieldingLimiter } from "./limits/yielding-limiter.ts";
import type { LateSpendDeps } from "./objects/late-spend.ts";
import { ObjectIdCodec } from "./objects/object-id.ts";
import { ObjectStore } from "./objects/object-store.ts";
import { OwnedReferences } from "./objects/owned-references.ts";
import { Ownership } from "./objects/ownership.ts";
import type { ResourceDeps } from "./objects/resource-deps.ts";
import { DeploymentHealth } from "./routing/health.ts";
import { deploymentsOf } from "./routing/resolve-model.ts";

/** The way of every call, and what the objects of features have in common. */
export interface Core {
  readonly authenticator: Authenticator;
  /** Calls of models. */
  readonly calls: CallDeps;
  /** Calls of models that give way to those others. */
  readonly batchCalls: CallDeps;
  /** Calls under way in this process that others give way to. */
  readonly interactiveCalls: () => number;
  /** Objects at providers, and whose they are. */
  readonly resources: ResourceDeps;
  /** Files and containers in requests; the feature that keeps files takes over. */
  readonly references: OwnedReferences;
  /** Absent without a persistent store, like `keys`, `spend` and `idempotency`. */
  readonly objects: ObjectStore | undefined;
  readonly keys: KeyManagement | undefined;
  readonly spend: SpendStore | undefined;
  readonly idempotency: IdempotentAnswers | undefined;
  /** Absent where the configuration wants none. */
  readonly metrics: Metrics | undefined;
  readonly meter: LateSpendDeps["meter"];
  /**
   * A key as it is now.
   * @throws GatewayError 401 when it is blocked, expired or deleted
   */
  readonly recallPrincipal: (remembered: Principal) => Promise<Principal>;
  close(): Promise<void>;
}

/** Opens the rooms of the core in the order in which a call meets them. */
export async function openCore(platform: Platform): Promise<Core> {
  const { config, store, upstream, logger } = platform;
  const spend = store && new SpendStore(store);
  const plainLedger = spend === undefined ? noLedger : new StoreLedger(spend, logger);
  const limiter = await openLimiter(config.current().redisUrl, spentBefore(spend, plainLedger), logger);
  const traffic = new YieldingLimiter(limiter);
  const modules = await HookRegistry.open(config, platform.baseFolder, (message) => logger.warn(message));
  const hooks = new HookRunner(modules, (hook, moment, error) =>
    logger.error({ hook, moment, error: describeError(error) }, "hook failed"),
  );
  const health = new DeploymentHealth();
  const metrics = await openMetrics(config, health);
  const ledger = metrics === undefined ? plainLedger : meteredLedger(plainLedger, metrics);
  const keys = store && spend && openKeys(store, spend, plainLedger);
  const authenticator = new Authenticator(config, platform.generatedMasterKey, keys?.remembered);
  const objects = store && new ObjectStore(store);
  const ownership = await openOwnership(platform, objects);
  const references = new OwnedReferences(ownership);
  const calls: CallDeps = {
    config,
    upstream,
    health,
    limiter: traffic.interactive,
    ledger,
    hooks,
    findProvider,
    dialectOf,
    costOf: warnedCost(logger),
    countTokens: countTokensApart,
    references,
  };
  const tenantOf = (principal: Principal): string => ownership.tenantOf(principal);
  return {
    authenticator,
    calls,
    batchCalls: { ...calls, limiter: traffic.batch },
    interactiveCalls: () => traffic.interactiveCalls,
    resources: { ...calls, ownership },
    references,
    objects,
    keys,
    spend,
    idempotency: openIdempotency(store, { tenantOf, logger }),
    metrics,
    meter: metrics && ((late) => metrics.late(late)),
    recallPrincipal: (remembered) => authenticator.recall(remembered),
    close: async () => {
      await modules.close();
      await ledger.close();
      await limiter.close();
    },
  };
}

/** The metrics, where the configuration wants them at the start. */
async function openMetrics(config: ConfigSource, health: DeploymentHealth): Promise<Metrics | undefined> {
  if (!config.current().gatewaySettings.callbacks.includes(METRICS_CALLBACK)) return undefined;
  return Metrics.open(() =>
    config.current().deployments.map((deployment) => ({
      deployment,
      isCoolingDown: health.state(deployment.id).cooldownMs > 0,
    })),
  );
}

/** What a key had spent before this process began to count. */
function spentBefore(spend: SpendStore | undefined, ledger: Ledger) {
  return async (keyHash: string, windowStart: number | undefined): Promise<number> => {
    if (spend === undefined) return 0;
    await ledger.flush();
    return windowStart === undefined ? spend.spendOf(keyHash) : spend.spendInWindow(keyHash, windowStart);
  };
}

/** Maps an object's id to its owner and to the deployment that created it. */
async function openOwnership(platform: Platform, objects: ObjectStore | undefined): Promise<Ownership> {
  const { config, store } = platform;
  return new Ownership({
    codec: new ObjectIdCodec(await idSecret(platform, store)),
    objects,
    deployments: () => config.current().deployments,
    deploymentsOf: (model) => deploymentsOf(model, config.current()),
    permits: (principal, deployment) => mayUseDeployment(principal, deployment, config.current()),
    providers: providerNames,
    scope: () => config.current().gatewaySettings.objectOwner,
    allowsProviderIds: () => config.current().gatewaySettings.allowProviderIds,
  });
}

/** The secret behind object ids: the configured one, else the store's; without a store it follows the master key. */
async function idSecret({ config, generatedMasterKey }: Platform, store: Store | undefined): Promise<string> {
  const { saltKey, masterKey } = config.current().generalSettings;
  if (saltKey !== undefined) return saltKey;
  if (store !== undefined) return new SettingsStore(store).secret("object-ids");
  return sha256(`object ids of ${masterKey ?? generatedMasterKey}`);
}
