import { setTimeout } from "node:timers/promises";
import type { Principal } from "../contract/principal.ts";
import { dialectOf } from "../formats/registry.ts";
import { countTokensApart } from "../formats/tokens/count-apart.ts";
import { wantsPrometheus } from "../platform/config/options/callbacks.ts";
import { collectorTarget } from "../platform/config/options/otlp-targets.ts";
import { describeError } from "../platform/log/describe-error.ts";
import { Metrics } from "../platform/metrics/metrics.ts";
import { openMetricsExport } from "../platform/metrics/otlp/open-metrics-export.ts";
import type { Platform } from "../platform/open-platform.ts";
import type { Chore } from "../platform/queue/housekeeping.ts";
import { topics } from "../platform/siblings/siblings.ts";
import { forgetHappened } from "../platform/store/once.ts";
import type { Store } from "../platform/store/schema.ts";
import { SettingsStore } from "../platform/store/settings-store.ts";
import { findProvider, providerNames } from "../providers/registry.ts";
import { sha256 } from "../util/sha256.ts";
import { VERSION } from "../util/version.ts";
import { Authenticator } from "./auth/authenticate.ts";
import { mayUseDeployment } from "./auth/deployment-permission.ts";
import { type KeyManagement, openKeys } from "./auth/management/key-management.ts";
import { NamedDefaults, scopesWithoutStore } from "./auth/named-defaults.ts";
import { CacheSwitch } from "./cache/open-cache.ts";
import { LeftAttempts } from "./call/left-attempts.ts";
import type { CallDeps } from "./call/model-call.ts";
import { HookRegistry } from "./hooks/hook-registry.ts";
import { HookRunner } from "./hooks/hook-runner.ts";
import { countReplays } from "./idempotency/count-replay.ts";
import type { IdempotentAnswers } from "./idempotency/idempotent-answers.ts";
import { openIdempotency } from "./idempotency/idempotent-routes.ts";
import { BudgetWatch } from "./ledger/budget-watch.ts";
import { timezoneIn } from "./ledger/budget-window.ts";
import { type Ledger, type LedgerWatcher, watchedLedger, workersLedger } from "./ledger/ledger.ts";
import { openLedger } from "./ledger/open-ledger.ts";
import { warnedCost } from "./ledger/price.ts";
import { Rollovers } from "./ledger/rollover.ts";
import { addBlocks } from "./ledger/spend-blocks.ts";
import { removeOldRows, retentionOf } from "./ledger/spend-retention.ts";
import { SpendStore } from "./ledger/spend-store.ts";
import { sumEarlierDay } from "./ledger/spend-sums.ts";
import { SpendWatch } from "./ledger/spend-watch.ts";
import { openLimiter } from "./limits/open-limiter.ts";
import { prioritiesIn } from "./limits/priorities.ts";
import { YieldingLimiter } from "./limits/yielding-limiter.ts";
import type { LateSpendDeps } from "./objects/late-spend.ts";
import { ObjectIdCodec } from "./objects/object-id.ts";
import { ObjectStore } from "./objects/object-store.ts";
import { OwnedReferences } from "./objects/owned-references.ts";
import { Ownership } from "./objects/ownership.ts";
import type { ResourceDeps } from "./objects/resource-deps.ts";
import { TenantSeal } from "./objects/tenant-seal.ts";
import { DeploymentHealth } from "./routing/health.ts";
import { deploymentAt, deploymentsOf } from "./routing/resolve-model.ts";
import { underModels } from "./routing/under-models.ts";
import { EntryWriter } from "./runtime/entry-writer.ts";

/** The way of every call, and what the objects of features have in common. */
export interface Core {
  readonly authenticator: Authenticator;
  /** Calls of models. */
  readonly calls: CallDeps;
  /** Answers of earlier calls. */
  readonly cache: CacheSwitch;
  /** Calls of models that give way to those others. */
  readonly batchCalls: CallDeps;
  /** Calls under way in this process that others give way to. */
  readonly interactiveCalls: () => number;
  /** Objects at providers, and whose they are. */
  readonly resources: ResourceDeps;
  /** What callers keep for the gateway. */
  readonly seal: TenantSeal;
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
  /** Absent where nobody is to be told of budgets. */
  readonly spendWatch: SpendWatch | undefined;
  /** Changes what is configured at run time; absent without a persistent store. */
  readonly writer: EntryWriter | undefined;
  /**
   * A key as it is now.
   * @throws GatewayError 401 when it is blocked, expired or deleted
   */
  readonly recallPrincipal: (remembered: Principal) => Promise<Principal>;
  readonly chores: Readonly<Record<string, Chore>>;
  close(): Promise<void>;
}

/** Milliseconds that figures of the store may take. */
const STORE_PATIENCE = 2000;
/** Moments at which hooks may refuse a call, or change what its caller gets. */
const JUDGING = ["preCall", "duringCall", "postCallSuccess", "postCallStream"] as const;

/** Opens the rooms of the core in the order in which a call meets them. */
export async function openCore(platform: Platform): Promise<Core> {
  const { config, store, upstream, traces, logger, siblings } = platform;
  const spend = store && new SpendStore(store);
  const timezone = timezoneIn(config);
  const ownLedger = openLedger(platform);
  siblings?.primary.on(topics.flush, async (afresh: boolean) => {
    if (!(await ownLedger.flush(afresh))) throw new Error("the database takes no spend rows at the moment");
  });
  const plainLedger = siblings === undefined ? ownLedger : workersLedger(ownLedger, siblings);
  const before = spentBefore(spend, plainLedger);
  const limiter = await openLimiter(
    config.current.redisUrl,
    before,
    logger,
    store,
    siblings,
    (principal, names) => underModels(principal, names, config.current),
    timezone,
    prioritiesIn(config),
  );
  const traffic = new YieldingLimiter(limiter);
  const modules = await HookRegistry.open(config, platform.baseFolder, (message) => logger.warn(message));
  const hooks = new HookRunner(modules, (hook, moment, error) =>
    logger.error({ hook, moment, error: describeError(error) }, "hook failed"),
  );
  const health =
    siblings === undefined
      ? new DeploymentHealth()
      : (await import("./routing/workers-health.ts")).openWorkersHealth(siblings);
  const { gatewaySettings, environment } = config.current;
  const wantsMetrics =
    wantsPrometheus(gatewaySettings) ||
    collectorTarget("METRICS", gatewaySettings, environment) !== undefined;
  const budgetWatch =
    wantsMetrics && spend ? new BudgetWatch(spend, timezone, new Rollovers(store, timezone)) : undefined;
  const metrics = wantsMetrics ? await openMetrics(platform, health, plainLedger, budgetWatch) : undefined;
  const metricsExport = metrics && (await openMetricsExport(config.current, metrics, VERSION, logger));
  const spendWatch =
    store === undefined || config.current.generalSettings.alerting.length === 0
      ? undefined
      : new SpendWatch();
  const { recordTargets } = config.current;
  const callExport =
    recordTargets.length === 0
      ? undefined
      : (await import("./ledger/call-export/open-call-export.ts")).openCallExport(recordTargets, platform);
  const watchers = [spendWatch, budgetWatch, metrics && countedCalls(metrics), callExport];
  const ledger = watchedLedger(
    plainLedger,
    watchers.filter((watcher) => watcher !== undefined),
  );
  const keys =
    store &&
    spend &&
    openKeys(
      store,
      spend,
      plainLedger,
      config,
      limiter.lowering,
      platform.generatedMasterKey,
      logger,
      platform.seal,
    );
  const authenticator = new Authenticator(
    config,
    platform.generatedMasterKey,
    keys?.remembered,
    async (settings) =>
      new (await import("./auth/tokens/token-door.ts")).IssuedTokens(settings, upstream, keys),
  );
  const scopes = keys?.remembered ?? scopesWithoutStore(new NamedDefaults(config));
  const objects = store && new ObjectStore(store);
  const secret = await idSecret(platform, store);
  const ownership = openOwnership(platform, objects, secret);
  const references = new OwnedReferences(ownership);
  const cache = await CacheSwitch.open(config, logger, siblings);
  const calls: CallDeps = {
    config,
    upstream,
    traces,
    health,
    limiter: traffic.interactive,
    ledger,
    hooks,
    findProvider,
    dialectOf,
    costOf: warnedCost(logger),
    countTokens: countTokensApart,
    references,
    leftAttempts: new LeftAttempts(logger),
    scopes,
    cache,
  };
  // Hooks may judge by the key, and an answer that is there already passes none: only the key that it was made for gets it.
  const sharersOf = (principal: Principal): string =>
    JUDGING.some((moment) => hooks.has(moment))
      ? `${ownership.tenantOf(principal)} ${principal.keyHash}`
      : ownership.tenantOf(principal);
  const count = countReplays(() => traffic.interactive, scopes);
  const idempotency = openIdempotency(store, { tenantOf: sharersOf, count, logger });
  return {
    authenticator,
    cache,
    calls,
    batchCalls: { ...withoutCache(calls), limiter: traffic.batch },
    interactiveCalls: () => traffic.interactiveCalls,
    resources: { ...calls, ownership },
    seal: new TenantSeal(secret),
    references,
    objects,
    keys,
    spend,
    idempotency,
    chores: {
      ...(idempotency === undefined ? {} : { "expired-answers": () => idempotency.sweep() }),
      ...(store === undefined
        ? {}
        : {
            "what-happened-once": () => forgetHappened(store),
            "spend-sums": () => sumEarlierDay(store),
            "spend-blocks": () => addBlocks(store),
            "old-spend-rows": (signal) => removeOldRows(store, retentionOf(config.current), signal),
          }),
    },
    metrics,
    spendWatch,
    writer: store && platform.runtime && new EntryWriter(platform.runtime, store, platform.seal),
    meter: metrics && ((late) => metrics.late(late)),
    recallPrincipal: (remembered) => authenticator.recall(remembered),
    close: async () => {
      await calls.leftAttempts.close();
      await cache.close();
      await modules.close();
      await ledger.close();
      await callExport?.close();
      await limiter.close();
      await metricsExport?.close();
    },
  };
}

/** A batch's rows are calls of their own: providers charge less for them, and answer each. */
function withoutCache({ cache: _, ...calls }: CallDeps): CallDeps {
  return calls;
}

function openMetrics(
  { config, queue, siblings }: Platform,
  health: DeploymentHealth,
  ledger: Ledger,
  budgetWatch: BudgetWatch | undefined,
): Promise<Metrics> {
  return Metrics.open(
    {
      deployments: () =>
        config.current.deployments.map((deployment) => ({
          deployment,
          isCoolingDown: health.state(deployment.id).cooldownMs > 0,
        })),
      rows: () => ledger.state,
      budgets: () => soonOrNothing(budgetWatch?.budgets()),
      queues: () => soonOrNothing(queue?.depths()),
    },
    siblings,
  );
}

/** The other figures are told also while the store does not answer. */
async function soonOrNothing<Figure>(
  reading: Promise<readonly Figure[]> | undefined,
): Promise<readonly Figure[]> {
  if (reading === undefined) return [];
  return Promise.race([reading.catch(() => []), setTimeout(STORE_PATIENCE, [], { ref: false })]);
}

/** A call is settled once, though it may be told twice. */
function countedCalls(metrics: Metrics): LedgerWatcher {
  return {
    settles: ({ principal, call }) => {
      if (!call.recorded) metrics.call(principal, call);
    },
  };
}

/** What a key had spent before this process began to count. */
function spentBefore(spend: SpendStore | undefined, ledger: Ledger) {
  return async (keyHash: string, windowStart: number | undefined): Promise<number> => {
    if (spend === undefined) return 0;
    await ledger.flush();
    return spend.spentIn({ owner: keyHash, windowStart });
  };
}

/** Maps an object's id to its owner and to the deployment that created it. */
function openOwnership({ config }: Platform, objects: ObjectStore | undefined, secret: string): Ownership {
  return new Ownership({
    codec: new ObjectIdCodec(secret),
    objects,
    deployments: () => config.current.deployments,
    deploymentAt: (deployment, provider) => deploymentAt(deployment, provider, config.current),
    deploymentsOf: (model) => deploymentsOf(model, config.current),
    permits: (principal, deployment) => mayUseDeployment(principal, deployment, config.current),
    providers: providerNames,
    scope: () => config.current.gatewaySettings.objectOwner,
    allowsProviderIds: () => config.current.gatewaySettings.allowProviderIds,
  });
}

/** The secret behind object ids: the configured one, else the store's; without a store it follows the master key. */
async function idSecret({ config, generatedMasterKey }: Platform, store: Store | undefined): Promise<string> {
  const { saltKey, masterKey } = config.current.generalSettings;
  if (saltKey !== undefined) return saltKey;
  if (store !== undefined) return new SettingsStore(store).secret("object-ids");
  return sha256(`object ids of ${masterKey ?? generatedMasterKey}`);
}
