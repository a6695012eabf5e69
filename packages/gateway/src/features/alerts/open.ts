import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../contract/json.ts";
import type { KeyManagement } from "../../core/auth/management/key-management.ts";
import { masterPrincipal } from "../../core/auth/master-principal.ts";
import type { Feature } from "../../core/feature.ts";
import { budgetWindow } from "../../core/ledger/budget-window.ts";
import type { SpendAccount } from "../../core/ledger/spend-store.ts";
import { alertsOf, type Spender, type SpendWatch } from "../../core/ledger/spend-watch.ts";
import type { Core } from "../../core/open-core.ts";
import {
  addressesOf,
  CHANNELS,
  mailServerOf,
  sendsAlerts,
  silentChannels,
} from "../../platform/config/alert-channels.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Platform } from "../../platform/open-platform.ts";
import type { JobQueue, Lease } from "../../platform/queue/job-queue.ts";
import { type JobOutcome, Worker } from "../../platform/queue/worker.ts";
import { happensOnce, hasHappened } from "../../platform/store/once.ts";
import type { Store } from "../../platform/store/schema.ts";
import { SettingsStore } from "../../platform/store/settings-store.ts";
import { WEBHOOK_PAUSES, webhookSecretOf } from "../../platform/transport/signed-webhook.ts";
import { sha256 } from "../../util/sha256.ts";
import { type Alert, deliver } from "./deliver.ts";
import { budgetEvent } from "./event.ts";
import { type ReachedLevel, reachedLevels } from "./levels.ts";

const QUEUE = "alerts";
/** Milliseconds between two looks at budgets whose calls have cost something. */
const LOOK_EVERY = 1000;
/** Milliseconds for which a budget without windows is remembered as told of: ten years. */
const FOR_GOOD = 10 * 365 * 86_400_000;

/** Tells of budgets that are crossed or nearly so, where `general_settings.alerting` is set when the gateway starts. */
export function openAlerts(core: Core, platform: Platform): Feature {
  const { keys, spendWatch } = core;
  const { store, queue, config } = platform;
  const nothing = { routes: [], descriptions: [] };
  if (!sendsAlerts(config.current)) return nothing;
  warnOfSilence(platform);
  if (!(store && queue && keys && spendWatch)) return nothing;
  const alerts = new Alerts({
    ...platform,
    store,
    queue,
    keys,
    spendWatch,
    ownership: core.resources.ownership,
  });
  return { ...nothing, stop: () => alerts.stop() };
}

/** Names ways on which nobody would be told anything. */
function warnOfSilence({ config, logger }: Platform): void {
  for (const { channel, message } of silentChannels(config.current)) logger.warn({ channel }, message);
}

interface Parts extends Pick<Platform, "config" | "logger" | "upstream" | "generatedMasterKey"> {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly keys: KeyManagement;
  readonly spendWatch: SpendWatch;
  readonly ownership: Core["resources"]["ownership"];
}

class Alerts {
  readonly #parts: Parts;
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #secret: Promise<string> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY).unref();
    this.#worker = new Worker({
      queue: parts.queue,
      name: QUEUE,
      concurrency: 4,
      pollMs: 2000,
      handler: (lease, signal) => this.#send(lease, signal),
      onError: (error) =>
        parts.logger.warn({ error: describeError(error) }, "an alert could not be worked on"),
    });
  }

  /** Looks once more, so that what was spent last is not forgotten. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#lookNow();
    await this.#worker.stop();
  }

  #look(): void {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookNow(): Promise<void> {
    const { spendWatch, keys, logger } = this.#parts;
    const spenders = spendWatch.take();
    if (spenders.length === 0) return;
    try {
      await keys.ledger.flush();
      for (const spender of spenders) await this.#check(spender);
    } catch (error) {
      logger.warn({ error: describeError(error) }, "budgets could not be looked at for alerts");
    }
  }

  async #check(spender: Spender): Promise<void> {
    const { spend, entities, timezone, rollovers } = this.#parts.keys;
    const { db } = this.#parts.store;
    const { scope, principal } = spender;
    const now = Date.now();
    const window = budgetWindow(scope.limits, now, timezone());
    const isWholeKey = window === undefined && scope.owner === principal.keyHash;
    const account = { owner: scope.owner, windowStart: isWholeKey ? undefined : (window?.start ?? 0) };
    const spent = await spend.spentIn(account);
    const more = await rollovers.amount({ ...scope, window });
    for (const levels of reachedLevels(scope.limits, spent, now, more)) {
      const names = levels.map(
        ({ name, budget }) => `${alertsOf(scope.owner)}${window?.start ?? "all"} ${name} ${budget}`,
      );
      // The store is asked each time: of a budget that was reset meanwhile the levels are reached again.
      if (await hasHappened(db, names[0]!)) continue;
      const event = await budgetEvent(entities, spender, levels[0]!, {
        ...{ spent, more, window },
        timezone: timezone(),
      });
      await this.#tell(account, names, levels[0]!, event, window?.end ?? now + FOR_GOOD);
    }
  }

  /**
   * The claim and the jobs that tell are one transaction: whoever dies in between has done neither, and of all replicas
   * one does both. Levels below are told of with the highest. A budget that was reset since somebody looked is not told
   * of, nor reset meanwhile: the claim would stand in the way of the next time.
   */
  async #tell(
    account: SpendAccount,
    names: readonly string[],
    { event: kind, from }: ReachedLevel,
    event: JsonObject,
    until: number,
  ): Promise<void> {
    const { store, queue, config, logger, keys } = this.#parts;
    const { alerting } = config.current.generalSettings;
    const isTold = await store.db.transaction().execute(async (db) => {
      if ((await keys.spend.heldSpend(db, account)) < from) return false;
      const isFirst = await happensOnce(db, names[0]!, until);
      for (const name of names.slice(1)) await happensOnce(db, name, until);
      if (!isFirst) return false;
      const id = `evt_${randomUUID().replaceAll("-", "")}`;
      for (const channel of CHANNELS.filter((each) => alerting.includes(each)))
        for (const place of addressesOf(channel, config.current, event).keys())
          await queue.enqueue(
            QUEUE,
            `${id} ${channel} ${place}`,
            { id, channel, place, event },
            {
              within: db,
              maxAttempts: 1000,
            },
          );
      return true;
    });
    if (!isTold) return;
    logger.info({ alert: kind, group: event.event_group }, "a budget's alert is sent");
    this.#worker.wake();
  }

  async #send(lease: Lease, signal: AbortSignal): Promise<JobOutcome> {
    const { config, upstream, queue, logger } = this.#parts;
    const alert = lease.payload as unknown as Alert;
    const address = addressesOf(alert.channel, config.current, alert.event)[alert.place];
    if (address === undefined) return { done: true };
    const mailServer = mailServerOf(config.current.environment);
    const means = { upstream, mailServer, secret: await this.#webhookSecret() };
    const problem = await deliver(means, address, alert, signal);
    if (problem === undefined) return { done: true };
    const tries = Number(lease.checkpoint?.tries ?? 0);
    const pause = WEBHOOK_PAUSES[tries];
    const log = { channel: alert.channel, tries: tries + 1, problem };
    if (pause === undefined) {
      logger.error(log, "an alert was not accepted and is given up");
      return { done: true };
    }
    logger.warn(log, "an alert was not accepted, trying again later");
    await queue.checkpoint(lease, { tries: tries + 1 });
    return { again: Date.now() + pause };
  }

  /** The operator's own, else the one that `GET /v1/webhook_secret` shows to the master key. */
  async #webhookSecret(): Promise<string> {
    const { config, store, ownership, generatedMasterKey } = this.#parts;
    const { masterKey = generatedMasterKey ?? "" } = config.current.generalSettings;
    const { WEBHOOK_SECRET: own } = config.current.environment;
    if (own !== undefined && own !== "") return own;
    this.#secret ??= new SettingsStore(store).secret("webhooks");
    return webhookSecretOf(await this.#secret, ownership.tenantOf(masterPrincipal(sha256(masterKey))));
  }
}
