import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FileKeys } from "../../core/auth/issue/file-keys.ts";
import { generatedMasterKey, keptMasterKey } from "../../core/auth/master-key.ts";
import { EntryWriter } from "../../core/runtime/entry-writer.ts";
import { fixedConfig, type GatewayConfig } from "../../platform/config/gateway-config.ts";
import { loadConfig } from "../../platform/config/load/load-config.ts";
import { readConfig } from "../../platform/config/read/read-config.ts";
import { RuntimeConfig } from "../../platform/config/runtime/runtime-config.ts";
import { makeLogger } from "../../platform/log/logger.ts";
import { openSqliteStore, openStore } from "../../platform/store/open-store.ts";
import type { Store } from "../../platform/store/schema.ts";
import { SealedText } from "../../platform/store/sealed-text.ts";
import { temporaryPath } from "../../platform/store/temporary.ts";
import { UsageError } from "../explain-error.ts";
import { type CommandHelp, type FlagValues, readArguments } from "../flags.ts";
import { dataDirectory } from "../serve-options.ts";
import { LiteLlmSecrets } from "./decrypt.ts";
import { importLiteLlm } from "./import-litellm.ts";
import { LiteLlmDatabase } from "./litellm-database.ts";
import { reportJson, reportText } from "./report.ts";
import { Target } from "./target.ts";

/** The help of `portico import`. */
const IMPORT = {
  usage: ["portico import litellm [DATABASE_URL] [flags]"],
  about:
    "Takes over keys, teams, users, organizations, budgets, customers, tags, models and credentials with what was spent from LiteLLM's PostgreSQL database (LITELLM_DATABASE_URL where none is named), which is only read. Keys work unchanged. May be run again and while gateways run; what was changed or spent here meanwhile stays. LITELLM_SALT_KEY, or LITELLM_MASTER_KEY where LiteLLM has no salt key, decrypts models and credentials.",
  flags: {
    config: { value: "FILE", doc: "the configuration that names this gateway's store and keys" },
    "data-dir": { value: "DIR", doc: "where the embedded store is (PORTICO_DATA_DIR; ./portico-data)" },
    "dry-run": { doc: "say what would be taken, and change nothing" },
    strict: { doc: "leave out what has a restriction that is not enforced here" },
    source: { value: "NAME", doc: "a name for the database, where several are taken over (litellm)" },
    "spend-log": { doc: "take over the rows of LiteLLM's spend log, too" },
    since: { value: "DATE", doc: "of these only the ones from that day on (2026-01-31)" },
    json: { doc: "print the report as JSON" },
  },
} as const satisfies CommandHelp;

type Flags = FlagValues<typeof IMPORT.flags>;

/** Milliseconds between two lines about how far it is. */
const TELL_EVERY = 1000;

/** `portico import litellm`: takes over a LiteLLM database. Resolves with the exit code. */
export async function importCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, IMPORT);
  if (read === undefined) return 0;
  const { values, positionals } = read;
  const [from = "", url = process.env.LITELLM_DATABASE_URL ?? "", ...rest] = positionals;
  if (from !== "litellm")
    throw new UsageError(
      "import takes over one kind of database, as in portico import litellm postgres://...",
    );
  if (url === "" || rest.length > 0)
    throw new UsageError(
      "import needs the address of LiteLLM's database, as in portico import litellm postgres://...",
    );
  const spendSince = sinceOf(values);
  const config = configOf(values);
  const source = await LiteLlmDatabase.open(url);
  try {
    return await importInto(source, config, values, spendSince);
  } finally {
    await source.close();
  }
}

async function importInto(
  source: LiteLlmDatabase,
  config: GatewayConfig,
  values: Flags,
  spendSince: number | undefined,
): Promise<number> {
  const folder = dataDirectory(values["data-dir"], process.env);
  const logger = makeLogger("warn", process.stderr);
  const isDryRun = values["dry-run"] === true;
  const target = await openTarget(config, folder, isDryRun);
  const seal = new SealedText(sealingKey(config, folder, isDryRun));
  const runtime = await RuntimeConfig.open(fixedConfig(config), target.store, seal, logger);
  const fileKeys = new FileKeys(fixedConfig(config), keptMasterKey(folder));
  try {
    const report = await importLiteLlm({
      source,
      target: new Target(target.store, values.source ?? "litellm", isDryRun, config.gatewaySettings.timezone),
      secrets: new LiteLlmSecrets(secretsOf(config)),
      writer: new EntryWriter(runtime, target.store, seal),
      isOfFile: (keyHash) => fileKeys.find(keyHash) !== undefined,
      isStrict: values.strict === true,
      progress: tellProgress(),
      spendSince,
    });
    process.stdout.write(values.json === true ? reportJson(report) : reportText(report));
    return 0;
  } finally {
    await runtime.close();
    await target.close();
  }
}

/** From when on the spend log is taken. */
function sinceOf(values: Flags): number | undefined {
  const { "spend-log": isWanted, since } = values;
  if (since === undefined) return isWanted === true ? 0 : undefined;
  if (isWanted !== true) throw new UsageError("--since is about --spend-log");
  const time = /^\d{4}-\d{2}-\d{2}$/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`--since needs a day such as 2026-01-31, not ${since}`);
  return time;
}

function configOf(values: Flags): GatewayConfig {
  const { config } =
    values.config === undefined
      ? readConfig("none", "", process.env)
      : loadConfig(values.config, process.env);
  return config;
}

interface OpenTarget {
  readonly store: Store;
  close(): Promise<void>;
}

/** The store of this gateway; a dry run without one compares with an empty one, and makes none. */
async function openTarget(config: GatewayConfig, folder: string, isDryRun: boolean): Promise<OpenTarget> {
  const url = config.generalSettings.databaseUrl ?? config.environment.DATABASE_URL;
  const isEmbedded = url === undefined || url === "";
  const isMissing = isEmbedded
    ? config.generalSettings.store !== "none" && !existsSync(join(folder, "portico.sqlite"))
    : isDryRun && url !== "none" && !(await hasTables(url));
  if (isDryRun && isMissing) {
    const temporary = temporaryPath();
    mkdirSync(temporary, { mode: 0o700 });
    const store = await openSqliteStore(temporary);
    process.stderr.write(
      "There is nothing in this gateway's store yet: everything is compared with nothing.\n",
    );
    return {
      store,
      close: async () => {
        await store.close();
        rmSync(temporary, { recursive: true, force: true });
      },
    };
  }
  if (isMissing)
    process.stderr.write(
      `There is no store in ${folder} yet, so one is made; --data-dir names another folder.\n`,
    );
  const store = await openStore(config, folder, makeLogger("warn", process.stderr));
  if (store === undefined)
    throw new UsageError("the configuration runs without a store, which an import needs");
  return { store, close: () => store.close() };
}

/** Whether a database has the tables of this version: a dry run makes none. */
async function hasTables(url: string): Promise<boolean> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ found: boolean }>(
      "select to_regclass('imported') is not null as found",
    );
    return rows[0]?.found === true;
  } catch {
    // Opening the store says what is wrong.
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What this gateway encrypts with. */
function sealingKey({ generalSettings }: GatewayConfig, folder: string, isDryRun: boolean): string {
  const { saltKey, masterKey } = generalSettings;
  return saltKey ?? masterKey ?? (isDryRun ? "dry run" : generatedMasterKey(folder).key);
}

/** What LiteLLM may have encrypted with. */
function secretsOf({ generalSettings, environment }: GatewayConfig): string[] {
  const { LITELLM_SALT_KEY, LITELLM_MASTER_KEY } = environment;
  const { saltKey, masterKey } = generalSettings;
  const keys = [LITELLM_SALT_KEY, saltKey, LITELLM_MASTER_KEY, masterKey];
  return keys.filter((key): key is string => key !== undefined && key !== "");
}

/** Tells on standard error how far it is, now and then. */
function tellProgress() {
  let told = performance.now();
  return (kind: string, done: number, total: number): void => {
    const now = performance.now();
    if (now - told < TELL_EVERY) return;
    told = now;
    process.stderr.write(`${kind}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}\n`);
  };
}
