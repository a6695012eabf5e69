import { setImmediate as turn } from "node:timers/promises";
import type { Deployment } from "../../../contract/deployment.ts";
import { piecesOf } from "../../../util/pieces.ts";
import { describeError } from "../../log/describe-error.ts";
import type { Logger } from "../../log/logger.ts";
import type { Store } from "../../store/schema.ts";
import type { SealedText } from "../../store/sealed-text.ts";
import { SettingsStore } from "../../store/settings-store.ts";
import type { ConfigFile, ConfigSource, GatewayConfig } from "../gateway-config.ts";
import type { Surroundings } from "../read/read-deployments.ts";
import { type ConfigEntry, entryOfRow } from "./entry.ts";
import { mergeCredentials, readModel, withGroups } from "./merge.ts";
import type { ConfigEntryKind } from "./table.ts";

/** Counts the changes of what is configured at run time. */
export const RUNTIME_TOPIC = "config-entries";

/** Milliseconds between two looks at the count: a change is in force on every replica within a second. */
const LOOK_EVERY_MS = 400;
/** Entries that one query brings. */
const ENTRIES_AT_ONCE = 500;
/** Models that are read in one turn of the event loop, so that calls go on meanwhile. */
const MODELS_IN_A_TURN = 25;

/** What the runtime configuration needs beside the store. */
interface RuntimeParts {
  readonly base: ConfigSource;
  readonly seal: SealedText;
  readonly logger: Logger;
}

/**
 * The configuration of the file, with the models, credentials and access groups that were made at run time. Replicas
 * look whether any of them has changed something; only what changed is read again.
 */
export class RuntimeConfig implements ConfigSource {
  current: GatewayConfig;
  readonly #parts: RuntimeParts;
  readonly #store: Store;
  readonly #settings: SettingsStore;
  readonly #listeners = new Set<(config: GatewayConfig) => void>();
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #entries = new Map<string, ConfigEntry>();
  /** Deployments of entries as they were read with the same surroundings. */
  #read = new WeakMap<ConfigEntry, { readonly deployment: Deployment | undefined }>();
  #surroundings: Surroundings;
  #version = 0;
  #looking: Promise<void> | undefined;

  private constructor(parts: RuntimeParts, store: Store) {
    this.#parts = parts;
    this.#store = store;
    this.#settings = new SettingsStore(store);
    this.current = parts.base.current;
    this.#surroundings = this.#newSurroundings();
    this.#unsubscribe = parts.base.subscribe(() => this.#baseChanged());
    this.#timer = setInterval(() => void this.#lookQuietly(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  static async open(
    base: ConfigSource,
    store: Store,
    seal: SealedText,
    logger: Logger,
  ): Promise<RuntimeConfig> {
    const opened = new RuntimeConfig({ base, seal, logger }, store);
    await opened.#look();
    return opened;
  }

  /** The configuration without what was made at run time. */
  get base(): GatewayConfig {
    return this.#parts.base.current;
  }

  get file(): ConfigFile | undefined {
    return this.#parts.base.file;
  }

  /** What models of the runtime configuration refer to. */
  get surroundings(): Surroundings {
    return this.#surroundings;
  }

  subscribe(listener: (config: GatewayConfig) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  find(kind: ConfigEntryKind, name: string): ConfigEntry | undefined {
    return this.#entries.get(keyOf(kind, name));
  }

  all(kind: ConfigEntryKind): readonly ConfigEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.kind === kind);
  }

  /** Takes over what was changed, here or elsewhere; called after a change made here, so that it is in force at once. */
  async refresh(): Promise<void> {
    // A look that has begun may have seen the count before the change.
    await this.#looking?.catch(() => undefined);
    await this.#look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe();
    await this.#looking?.catch(() => undefined);
  }

  async #lookQuietly(): Promise<void> {
    if (this.#looking !== undefined) return;
    await this.#look().catch((error: unknown) =>
      // What is known stays in force while the database is away.
      this.#parts.logger.debug({ error: describeError(error) }, "runtime configuration not read"),
    );
  }

  #look(): Promise<void> {
    this.#looking ??= this.#takeOver().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #takeOver(): Promise<void> {
    const version = await this.#settings.version(RUNTIME_TOPIC);
    if (version === this.#version) return;
    const rows = await this.#store.db
      .selectFrom("config_entries")
      .select(["kind", "name", "revision"])
      .orderBy("created_at")
      .orderBy("name")
      .execute();
    const entries = new Map<string, ConfigEntry>();
    for (const some of piecesOf(rows, ENTRIES_AT_ONCE)) {
      const changed = some.filter(({ kind, name, revision }) => this.find(kind, name)?.revision !== revision);
      const read = await this.#readEntries(changed.map(({ name }) => name));
      for (const { kind, name } of some) {
        const entry = read.get(keyOf(kind, name)) ?? this.find(kind, name);
        if (entry !== undefined) entries.set(keyOf(kind, name), entry);
      }
    }
    this.#entries = entries;
    this.#version = version;
    await this.#rebuild();
  }

  async #readEntries(names: readonly string[]): Promise<ReadonlyMap<string, ConfigEntry>> {
    if (names.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("config_entries")
      .selectAll()
      .where("name", "in", [...new Set(names)])
      .execute();
    const entries = new Map<string, ConfigEntry>();
    for (const row of rows) {
      const entry = entryOfRow(row, this.#parts.seal);
      if (entry === undefined)
        this.#parts.logger.error(
          { kind: row.kind, name: row.name },
          "left out: it was encrypted with another salt_key or master key",
        );
      else entries.set(keyOf(row.kind, row.name), entry);
    }
    return entries;
  }

  #baseChanged(): void {
    this.#surroundings = this.#newSurroundings();
    this.#read = new WeakMap();
    this.#publish();
  }

  async #rebuild(): Promise<void> {
    const surroundings = this.#newSurroundings();
    if (!isSame(surroundings.credentials, this.#surroundings.credentials)) {
      this.#surroundings = surroundings;
      this.#read = new WeakMap();
    }
    for (const [index, entry] of this.all("model").entries()) {
      if (index % MODELS_IN_A_TURN === MODELS_IN_A_TURN - 1) await turn();
      this.#deploymentOf(entry);
    }
    this.#publish();
  }

  #newSurroundings(): Surroundings {
    const { base } = this;
    return {
      credentials: mergeCredentials(base, this.all("credential")),
      router: base.routerSettings,
      providers: undefined,
    };
  }

  #deploymentOf(entry: ConfigEntry): Deployment | undefined {
    let read = this.#read.get(entry);
    if (read === undefined) {
      const { deployment, faults } = readModel(entry.body, this.#surroundings, this.base.environment);
      const isUsable = deployment !== undefined && faults.length === 0;
      if (!isUsable)
        this.#parts.logger.error({ model: entry.name, faults }, "a model of the store is left out");
      read = { deployment: isUsable ? deployment : undefined };
      this.#read.set(entry, read);
    }
    return read.deployment;
  }

  #publish(): void {
    const { base } = this;
    const deployments = withGroups(this.#allDeployments(), this.all("access_group"));
    const { credentials } = this.#surroundings;
    this.current = { ...base, deployments, credentials };
    for (const listener of this.#listeners) listener(this.current);
  }

  #allDeployments(): readonly Deployment[] {
    const { deployments } = this.base;
    const models = this.all("model");
    if (models.length === 0) return deployments;
    const fileIds = new Set(deployments.map(({ id }) => id));
    const stored = models
      .map((entry) => this.#deploymentOf(entry))
      .filter((deployment) => deployment !== undefined && !fileIds.has(deployment.id)) as Deployment[];
    return [...deployments, ...stored];
  }
}

function keyOf(kind: ConfigEntryKind, name: string): string {
  return `${kind} ${name}`;
}

function isSame(one: Surroundings["credentials"], other: Surroundings["credentials"]): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}
