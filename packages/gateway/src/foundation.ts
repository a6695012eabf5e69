import { KeyIssuer } from "./core/auth/key-issuer.ts";
import { KeyStore } from "./core/auth/key-store.ts";
import { StoredKeys } from "./core/auth/stored-keys.ts";
import { HookRegistry } from "./core/hooks/hook-registry.ts";
import { HookRunner } from "./core/hooks/hook-runner.ts";
import type { Ledger } from "./core/ledger/ledger.ts";
import { noLedger } from "./core/ledger/no-ledger.ts";
import { SpendStore } from "./core/ledger/spend-store.ts";
import { StoreLedger } from "./core/ledger/store-ledger.ts";
import type { Limiter } from "./core/limits/limiter.ts";
import { openLimiter } from "./core/limits/open-limiter.ts";
import { ObjectIdCodec } from "./core/objects/object-id.ts";
import type { KeyManagement } from "./features/keys/routes.ts";
import type { GatewayParts } from "./platform/gateway-parts.ts";
import { describeError } from "./platform/log/describe-error.ts";
import type { JobQueue } from "./platform/queue/job-queue.ts";
import { openQueue } from "./platform/queue/open-queue.ts";
import { openStore } from "./platform/store/open-store.ts";
import { SettingsStore } from "./platform/store/settings-store.ts";
import type { Store } from "./platform/store/store.ts";
import { Upstream } from "./platform/transport/upstream.ts";
import { sha256 } from "./util/sha256.ts";

/** What keeps state or connections: opened before everything else, closed after it. */
export interface Foundation {
  /** Absent where the configuration wants none. */
  readonly store: Store | undefined;
  /** Durable work; absent without a store. */
  readonly queue: JobQueue | undefined;
  /** Absent without a store. */
  readonly keys: KeyManagement | undefined;
  readonly ledger: Ledger;
  readonly limiter: Limiter;
  readonly upstream: Upstream;
  readonly hooks: HookRunner;
  /** Makes and opens the ids that are handed out. */
  readonly objectIds: ObjectIdCodec;
  close(): Promise<void>;
}

/** Opens everything that the configuration names. */
export async function openFoundation(parts: GatewayParts): Promise<Foundation> {
  const { config, logger } = parts;
  const store = await openStore(config.current(), parts.dataDirectory, logger);
  const databaseUrl =
    config.current().generalSettings.databaseUrl ?? config.current().environment.DATABASE_URL;
  const queue = store && (await openQueue(store, databaseUrl, logger));
  const spend = store && new SpendStore(store);
  const ledger = spend === undefined ? noLedger : new StoreLedger(spend, logger);
  const limiter = await openLimiter(config.current().redisUrl, spentBefore(spend, ledger), logger);
  const upstream = new Upstream(() => config.current().gatewaySettings.allowPrivateNetworks);
  const modules = await HookRegistry.open(config, parts.baseFolder, (message) => logger.warn(message));
  const hooks = new HookRunner(
    () => modules.current(),
    (hook, moment, error) => logger.error({ hook, moment, error: describeError(error) }, "hook failed"),
  );
  return {
    store,
    queue,
    keys: store && spend && keyManagement(store, spend, ledger),
    ledger,
    limiter,
    upstream,
    hooks,
    objectIds: new ObjectIdCodec(await idSecret(parts, store)),
    close: async () => {
      await modules.close();
      await ledger.close();
      await limiter.close();
      await upstream.destroy();
      await queue?.close();
      await store?.close();
    },
  };
}

function keyManagement(store: Store, spend: SpendStore, ledger: Ledger): KeyManagement {
  const keys = new KeyStore(store);
  return { issuer: new KeyIssuer(keys), keys, remembered: new StoredKeys(keys), spend, ledger };
}

/** What a key had spent before this process began to count. */
function spentBefore(spend: SpendStore | undefined, ledger: Ledger) {
  return async (keyHash: string, windowStart: number | undefined): Promise<number> => {
    if (spend === undefined) return 0;
    await ledger.flush();
    return windowStart === undefined ? spend.spendOf(keyHash) : spend.spendInWindow(keyHash, windowStart);
  };
}

/** The secret behind object ids: the configured one, else the store's; without a store it follows the master key. */
async function idSecret(
  { config, generatedMasterKey }: GatewayParts,
  store: Store | undefined,
): Promise<string> {
  const { saltKey, masterKey } = config.current().generalSettings;
  if (saltKey !== undefined) return saltKey;
  if (store !== undefined) return new SettingsStore(store).secret("object-ids");
  return sha256(`object ids of ${masterKey ?? generatedMasterKey}`);
}
