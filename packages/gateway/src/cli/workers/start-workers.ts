import { SetupError } from "../../contract/setup-error.ts";
import { masterKeyAtStart, requireOtherKeys } from "../../core/auth/master-key.ts";
import { SpendStore } from "../../core/ledger/spend-store.ts";
import { HoldStore } from "../../core/limits/hold-store.ts";
import { LimitsOfWorkers } from "../../core/limits/limits-of-workers.ts";
import { MemoryBudgets } from "../../core/limits/memory-budgets.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { ConfigTexts } from "../../platform/config/load/config-thread.ts";
import type { ReadElsewhere } from "../../platform/config/load/watched-config.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { openLogExport } from "../../platform/log/otlp/open-log-export.ts";
import { type Relayed, topics } from "../../platform/siblings/siblings.ts";
import { openStore } from "../../platform/store/open-store.ts";
import type { Store } from "../../platform/store/schema.ts";
import { VERSION } from "../../util/version.ts";
import { openConfig } from "../open-config.ts";
import type { ServeOptions } from "../serve-options.ts";
import { firstModel, type RunningGateway } from "../start-gateway.ts";
import { Crew, type Member } from "./crew.ts";
import { WorkersMetrics } from "./workers-metrics.ts";

type Options = Pick<ServeOptions, "configFile" | "port" | "host" | "dataDirectory" | "overrides" | "workers">;

/**
 * Starts a gateway of several workers that serve one address. This process, the primary, serves no calls: it hands out
 * connections, replaces workers that die, and counts what all workers must count together.
 */
export async function startWorkers(
  options: Options,
  environment: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): Promise<RunningGateway> {
  const config = await openConfig(options.configFile, environment, options.overrides, logger);
  const { current } = config.source;
  const atStart = config.texts();
  const readSince = (before: ConfigTexts | undefined): ReadElsewhere => {
    const now = config.texts();
    return { inForce: now === before ? undefined : now, rejected: config.source.file?.rejected };
  };
  const closers: (() => Promise<void>)[] = [() => config.close()];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const logExport = await openLogExport(current, VERSION, logger);
    if (logExport !== undefined) closers.push(() => logExport.close());
    const store = await openPrimaryStore(current, options.dataDirectory, logger);
    if (store !== undefined) closers.push(() => store.close());
    const masterKey = masterKeyAtStart(current, options.dataDirectory);
    config.require((next) => requireOtherKeys(next, masterKey.key));
    const rows = new RowsOfWorkers(() => crew.members);
    const limits = new LimitsOfWorkers(store && (await openBudgets(store, rows, logger)), logger);
    closers.push(() => limits.close());
    const metrics = new WorkersMetrics();
    const crew = new Crew({
      workers: options.workers,
      simulatorUrl: config.simulatorUrl,
      logger,
      timeout: () => config.source.current.generalSettings.workerTimeout * 1000,
      serve: (member) => {
        const endLimits = limits.serve(member.channel);
        serveOthers(member, { crew: () => crew, rows, metrics });
        member.channel.on(topics.configuration, () => ({ atStart, ...readSince(atStart) }));
        return () => {
          rows.hasEnded();
          metrics.left(member.number);
          for (const { channel } of crew.members) channel.tell(topics.left, member.number);
          void endLimits();
        };
      },
    });
    closers.push(() => crew.close());
    let told = atStart;
    config.onRead(() => {
      const read = readSince(told);
      told = config.texts();
      for (const { channel } of crew.members) channel.tell(topics.configuration, read);
    });
    const ready = await crew.start();
    return {
      ...ready,
      masterKey: masterKey.key,
      keySource: masterKey.source,
      firstModel: firstModel(current),
      simulatorUrl: config.simulatorUrl,
      runningCalls: () => runningCalls(crew.members),
      reload: () => config.reload(),
      close,
      kill: () => crew.kill(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Has the data directory for all workers, where the store is in it, and brings its schema up to date. */
async function openPrimaryStore(
  config: GatewayConfig,
  dataDirectory: string,
  logger: Logger,
): Promise<Store | undefined> {
  const store = await openStore(config, dataDirectory, logger, true);
  if (store === undefined)
    throw new SetupError(
      "--workers needs a store, because workers without one would not know whose objects the others handed out; leave DATABASE_URL (or general_settings.store) unset for SQLite, or start one gateway for each port",
    );
  if (store.kind === "sqlite") return store;
  await store.close();
  return undefined;
}

async function openBudgets(store: Store, rows: RowsOfWorkers, logger: Logger) {
  const spend = new SpendStore(store);
  const spentBefore = async (owner: string, windowStart: number | undefined): Promise<number> => {
    await rows.write();
    return spend.spentIn({ owner, windowStart });
  };
  const budgets = new MemoryBudgets(spentBefore, new HoldStore(store), logger);
  await budgets.open();
  return { budgets, store, writeRows: () => rows.write() };
}

/** The spend rows of all workers on their way into the store. */
class RowsOfWorkers {
  readonly #members: () => readonly Member[];
  /** Workers that have ended, and how many of them had when all journals were last looked through. */
  #ended = 0;
  #seen = -1;

  constructor(members: () => readonly Member[]) {
    this.#members = members;
  }

  hasEnded(): void {
    this.#ended += 1;
  }

  /**
   * Resolves when the store has everything that was recorded until now, by workers that have ended too: each of the
   * others looks through the journals afresh, since one of them may be at work on such a one.
   * @throws ChannelError when a worker cannot do so now
   */
  async write(): Promise<void> {
    for (;;) {
      const ended = this.#ended;
      const members = this.#members();
      if (members.length === 0) throw new Error("no worker is there to bring spend rows into the database");
      await Promise.all(members.map(({ channel }) => channel.ask(topics.flush, ended !== this.#seen)));
      this.#seen = ended;
      if (ended === this.#ended) return;
    }
  }
}

interface Common {
  readonly crew: () => Crew;
  readonly rows: RowsOfWorkers;
  readonly metrics: WorkersMetrics;
}

/** What workers ask of each other, through this process. */
function serveOthers({ channel, number }: Member, { crew, rows, metrics }: Common): void {
  channel.on(topics.relay, ({ topic, content }: Relayed) => {
    for (const other of crew().members) if (other.number !== number) other.channel.tell(topic, content);
  });
  channel.on(topics.flush, () => rows.write());
  channel.on(topics.metrics, () => metrics.gather(crew().members));
}

async function runningCalls(members: readonly Member[]): Promise<number> {
  const calls = members.map(({ channel }) => channel.ask<number>(topics.running).catch(() => 0));
  return (await Promise.all(calls)).reduce((sum, running) => sum + running, 0);
}
