import { parseArgs } from "node:util";
import { GatewayError } from "../contract/errors.ts";
import { KeyIssuer } from "../core/auth/key-issuer.ts";
import { KeyStore } from "../core/auth/key-store.ts";
import { SpendStore } from "../core/ledger/spend-store.ts";
import { readKeyFields } from "../features/keys/key-fields.ts";
import { keyObject } from "../features/keys/key-object.ts";
import { loadConfig } from "../platform/config/load-config.ts";
import { readConfig } from "../platform/config/read-config.ts";
import { makeLogger } from "../platform/log/logger.ts";
import { openStore } from "../platform/store/open-store.ts";
import type { Store } from "../platform/store/store.ts";
import { sha256 } from "../util/sha256.ts";
import { UsageError } from "./usage-error.ts";

const flags = {
  config: { type: "string" },
  "data-dir": { type: "string" },
  alias: { type: "string" },
  user: { type: "string" },
  role: { type: "string" },
  team: { type: "string" },
  region: { type: "string" },
  models: { type: "string" },
  duration: { type: "string" },
  rpm: { type: "string" },
  tpm: { type: "string" },
  parallel: { type: "string" },
  budget: { type: "string" },
  "budget-duration": { type: "string" },
} as const;

type Flags = { readonly [Name in keyof typeof flags]?: string };

/**
 * `portico keys create|list|delete`: manages the keys of the store without a running gateway; a running one knows
 * within a second. Resolves with the exit code.
 */
export async function keysCommand(args: readonly string[]): Promise<number> {
  const [action, ...rest] = args;
  const { values, positionals } = parse(rest);
  const work = { create: createKey, list: listKeys, delete: deleteKeys }[action ?? ""];
  if (work === undefined) throw new UsageError("portico keys needs one of create, list, delete");
  const store = await openConfiguredStore(values);
  try {
    return await work(store, values, positionals);
  } catch (error) {
    if (error instanceof GatewayError) throw new UsageError(error.message);
    throw error;
  } finally {
    await store.close();
  }
}

function parse(args: readonly string[]): { values: Flags; positionals: string[] } {
  const dashed = args.map((arg) => arg.replace(/^--[^=]+/, (name) => name.replaceAll("_", "-")));
  try {
    return parseArgs({ args: dashed, options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function openConfiguredStore(values: Flags): Promise<Store> {
  const { config } =
    values.config === undefined
      ? readConfig("none", "", process.env)
      : loadConfig(values.config, process.env);
  const folder = values["data-dir"] ?? (process.env.PORTICO_DATA_DIR || "portico-data");
  const store = await openStore(config, folder, makeLogger("warn", process.stderr));
  if (store === undefined) throw new UsageError("the configuration runs without a store, which keys need");
  return store;
}

async function createKey(store: Store, values: Flags): Promise<number> {
  const fields = {
    key_alias: values.alias,
    user_id: values.user,
    user_role: values.role,
    team_id: values.team,
    allowed_model_region: values.region,
    models: values.models?.split(",").map((name) => name.trim()),
    duration: values.duration,
    rpm_limit: numberOf(values, "rpm"),
    tpm_limit: numberOf(values, "tpm"),
    max_parallel_requests: numberOf(values, "parallel"),
    max_budget: numberOf(values, "budget"),
    budget_duration: values["budget-duration"],
  };
  const columns = readKeyFields(fields, Date.now());
  const { key } = await new KeyIssuer(new KeyStore(store)).issue(columns, "command line");
  process.stdout.write(`${key}\n`);
  return 0;
}

async function listKeys(store: Store): Promise<number> {
  const { rows } = await new KeyStore(store).list({}, 0, Number.MAX_SAFE_INTEGER);
  const spend = await new SpendStore(store).spendOfAll(rows.map((row) => row.key_hash));
  for (const row of rows)
    process.stdout.write(`${JSON.stringify(keyObject(row, spend.get(row.key_hash) ?? 0))}\n`);
  return 0;
}

/** Keys are named by themselves, their hash or their alias. */
async function deleteKeys(store: Store, _: Flags, named: readonly string[]): Promise<number> {
  if (named.length === 0) throw new UsageError("portico keys delete needs keys, hashes or aliases");
  const keys = new KeyStore(store);
  const hashes = await Promise.all(
    named.map(async (name) => {
      if (/^[0-9a-f]{64}$/.test(name)) return name;
      return (await keys.findByAlias(name))?.key_hash ?? sha256(name);
    }),
  );
  const deleted = await keys.delete(hashes);
  process.stdout.write(`${deleted.length} of ${named.length} keys deleted\n`);
  return deleted.length === named.length ? 0 : 1;
}

function numberOf(values: Flags, name: keyof Flags): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new UsageError(`--${name} must be a number`);
  return number;
}
