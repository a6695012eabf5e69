import { existsSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { keyName, ROLES } from "../contract/principal.ts";
import { KeyIssuer } from "../core/auth/issue/key-issuer.ts";
import { readKeyFields } from "../core/auth/records/key-fields.ts";
import { keyObject } from "../core/auth/records/key-object.ts";
import { KeyStore } from "../core/auth/records/key-store.ts";
import { SpendStore } from "../core/ledger/spend-store.ts";
import { loadConfig } from "../platform/config/load/load-config.ts";
import { readConfig } from "../platform/config/read/read-config.ts";
import { makeLogger } from "../platform/log/logger.ts";
import { openStore } from "../platform/store/open-store.ts";
import type { Store } from "../platform/store/schema.ts";
import { sha256 } from "../util/sha256.ts";
import { UsageError } from "./explain-error.ts";
import { type CommandHelp, checkedNumber, type FlagValues, readArguments } from "./flags.ts";
import { dataDirectory } from "./serve-options.ts";
import { textTable } from "./text-table.ts";

/** The help of `portico keys`. */
const KEYS = {
  usage: [
    "portico keys create [flags]              make a key and print it",
    "portico keys list [--json]               list the keys of the store",
    "portico keys delete KEY|HASH|ALIAS ...   delete keys",
  ],
  about: "Manages the keys of the store without a running gateway; a running one knows within a second.",
  flags: {
    config: { value: "FILE", doc: "the configuration that names the store" },
    "data-dir": { value: "DIR", doc: "where the embedded store is (PORTICO_DATA_DIR; ./portico-data)" },
    alias: { value: "NAME", doc: "a name for the key, unique" },
    user: { value: "ID", doc: "the user whom the key belongs to" },
    role: {
      value: "ROLE",
      doc: `${ROLES.join(", ")} (internal_user)`,
    },
    team: { value: "ID", doc: "the team that the key belongs to" },
    region: { value: "REGION", doc: "call only deployments of this region" },
    models: { value: "A,B", doc: "call only these models" },
    duration: { value: "LENGTH", doc: "how long the key is valid, such as 30d" },
    rpm: { value: "N", doc: "requests a minute" },
    tpm: { value: "N", doc: "tokens a minute" },
    parallel: { value: "N", doc: "requests at the same moment" },
    budget: { value: "USD", doc: "US dollars that the key may spend" },
    "budget-duration": { value: "LENGTH", doc: "after which the budget begins anew, such as 30d" },
    json: { doc: "one JSON object for each key, also on a terminal" },
  },
} as const satisfies CommandHelp;

/** The fields of a key that flags set. */
const fieldsOfFlags = {
  alias: "key_alias",
  user: "user_id",
  role: "user_role",
  team: "team_id",
  region: "allowed_model_region",
  models: "models",
  duration: "duration",
  rpm: "rpm_limit",
  tpm: "tpm_limit",
  parallel: "max_parallel_requests",
  budget: "max_budget",
  "budget-duration": "budget_duration",
} as const satisfies Partial<Record<keyof typeof KEYS.flags, string>>;
const flagNames = Object.keys(fieldsOfFlags) as (keyof typeof fieldsOfFlags)[];

/** Who changes keys, in the audit log. */
const COMMAND_LINE = { by: "command line", keyHash: "" };

type Flags = FlagValues<typeof KEYS.flags>;

/**
 * `portico keys create|list|delete`: manages the keys of the store without a running gateway; a running one knows
 * within a second. Resolves with the exit code.
 */
export async function keysCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, KEYS);
  if (read === undefined) return 0;
  const { values, positionals } = read;
  const [action = "", ...named] = positionals;
  const work = Object.hasOwn(actions, action) ? actions[action as keyof typeof actions] : undefined;
  if (work === undefined) throw new UsageError("keys needs one of create, list, delete");
  const store = await openConfiguredStore(values, action === "create");
  try {
    return await work(store, values, named);
  } catch (error) {
    if (error instanceof GatewayError) throw inFlags(error);
    throw error;
  } finally {
    await store.close();
  }
}

/** What the description of a field wants, after what the field is. */
const described = /^the text does not fit its description, ".*?: (.*)"$/;

/** A refusal of a field in the words of its flag. */
function inFlags({ message, param }: GatewayError): UsageError {
  const [field] = param?.split(".") ?? [];
  const flag = flagNames.find((name) => fieldsOfFlags[name] === field);
  if (flag === undefined) return new UsageError(message);
  const reason = message.replace(/^[a-z_]+(?:\.\d+)*: /, "");
  const wanted = described.exec(reason)?.[1];
  return new UsageError(`--${flag}: ${wanted === undefined ? reason : `expected ${wanted}`}`);
}

/** @param mayMake whether a store that is not there is made; looking at keys makes none */
async function openConfiguredStore(values: Flags, mayMake: boolean): Promise<Store> {
  const { config } =
    values.config === undefined
      ? readConfig("none", "", process.env)
      : loadConfig(values.config, process.env);
  const folder = dataDirectory(values["data-dir"], process.env);
  const url = config.generalSettings.databaseUrl ?? config.environment.DATABASE_URL;
  const isEmbedded = url === undefined || url === "";
  if (isEmbedded && config.generalSettings.store !== "none" && !existsSync(join(folder, "portico.sqlite"))) {
    if (!mayMake) throw new UsageError(`there is no store in ${folder}; --data-dir names another folder`);
    process.stderr.write(
      `There is no store in ${folder} yet, so one is made; --data-dir names another folder.\n`,
    );
  }
  const store = await openStore(config, folder, makeLogger("warn", process.stderr));
  if (store === undefined) throw new UsageError("the configuration runs without a store, which keys need");
  return store;
}

async function createKey(store: Store, values: Flags): Promise<number> {
  const given = {
    ...values,
    models: values.models?.split(",").map((name) => name.trim()),
    rpm: numberOf(values, "rpm"),
    tpm: numberOf(values, "tpm"),
    parallel: numberOf(values, "parallel"),
    budget: numberOf(values, "budget"),
  };
  const fields: JsonObject = {};
  for (const flag of flagNames) fields[fieldsOfFlags[flag]] = given[flag];
  const columns = readKeyFields(fields, Date.now());
  const { key } = await new KeyIssuer(new KeyStore(store)).issue(columns, COMMAND_LINE);
  process.stdout.write(
    values.json === true ? `${JSON.stringify({ key, key_alias: values.alias ?? null })}\n` : `${key}\n`,
  );
  return 0;
}

/** One JSON object a line for programs, a table for people. */
async function listKeys(store: Store, values: Flags): Promise<number> {
  const { rows } = await new KeyStore(store).list({}, 0, Number.MAX_SAFE_INTEGER);
  const spend = await new SpendStore(store).spendOfAll(rows.map((row) => row.key_hash));
  const keys = rows.map((row) => keyObject(row, spend.get(row.key_hash) ?? 0));
  const asJson = values.json === true || process.stdout.isTTY !== true;
  if (asJson) for (const key of keys) process.stdout.write(`${JSON.stringify(key)}\n`);
  else if (keys.length === 0) process.stdout.write("There are no keys yet: portico keys create makes one.\n");
  else process.stdout.write(keyTable(keys));
  return 0;
}

function keyTable(keys: readonly JsonObject[]): string {
  const rows = keys.map((key) => [
    String(key.key_name),
    String(key.key_alias ?? ""),
    String(key.user_id ?? key.team_id ?? ""),
    (key.models as string[]).join(",") || "all",
    `${Number(key.spend).toFixed(4)} of ${key.max_budget ?? "any"}`,
    key.blocked === true ? "blocked" : String(key.expires ?? "no end"),
  ]);
  return textTable([["KEY", "ALIAS", "OWNER", "MODELS", "SPEND USD", "VALID UNTIL"], ...rows]);
}

/** Keys are named by themselves, their hash or their alias. */
async function deleteKeys(store: Store, values: Flags, named: readonly string[]): Promise<number> {
  if (named.length === 0) throw new UsageError("keys delete needs keys, hashes or aliases");
  const keys = new KeyStore(store);
  const hashes = await Promise.all(
    named.map(async (name) => {
      if (/^[0-9a-f]{64}$/.test(name)) return name;
      return (await keys.findByAlias(name))?.key_hash ?? sha256(name);
    }),
  );
  const deleted = await new KeyIssuer(keys).delete(hashes, COMMAND_LINE);
  if (values.json === true)
    for (const token of deleted) process.stdout.write(`${JSON.stringify({ token, deleted: true })}\n`);
  else process.stdout.write(`${deleted.length} of ${named.length} keys deleted\n`);
  const unknown = named.filter((_, index) => !deleted.includes(hashes[index]!));
  if (unknown.length > 0)
    process.stderr.write(
      `There is no key ${unknown.map(shown).join(", ")}; portico keys list shows them all.\n`,
    );
  return deleted.length === named.length ? 0 : 1;
}

/** What names a key, without the text of one. */
function shown(name: string): string {
  return name.startsWith("sk-") ? keyName(name) : name;
}

const actions = { create: createKey, list: listKeys, delete: deleteKeys };

function numberOf(values: Flags, name: "rpm" | "tpm" | "parallel" | "budget"): number | undefined {
  const text = values[name];
  return text === undefined ? undefined : checkedNumber(`--${name}`, text, 0);
}
