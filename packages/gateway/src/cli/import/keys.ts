import type { JsonObject } from "../../contract/json.ts";
import { UNENFORCED_BY_KEYS } from "../../core/auth/fields/unenforced-limits.ts";
import { blankKey } from "../../core/auth/issue/key-issuer.ts";
import type { Change } from "../../core/auth/records/change.ts";
import { generationOf } from "../../core/auth/records/generations.ts";
import { readKeyFields } from "../../core/auth/records/key-fields.ts";
import { keyObject } from "../../core/auth/records/key-object.ts";
import type { KeyRow } from "../../core/auth/records/keys-table.ts";
import { sha256 } from "../../util/sha256.ts";
import { limitsIn, splitMetadata } from "./entities.ts";
import {
  enforced,
  type ImportRun,
  openStep,
  readable,
  type Step,
  spentInWindow,
  takeRows,
} from "./import-run.ts";
import type { Item } from "./target.ts";
import { objectIn, present, spendIn, textIn, textsIn, timeIn } from "./values.ts";

const TABLE = "LiteLLM_VerificationToken";
/** The team of the sessions of LiteLLM's console. */
const CONSOLE_TEAM = "litellm-dashboard";
const OF_FILE = "it is the master key or a key of the configuration here, which rules";
const KEY_TYPES = ["llm_api", "management", "read_only"];

/** Takes over keys by their hashes, so that their texts work unchanged. */
export async function importKeys(run: ImportRun, groups: ReadonlyMap<string, string>): Promise<void> {
  const step = openStep(run, "key", TABLE, "keys");
  if (step === undefined) return;
  await takeRows(step, async (rows) => {
    const { db } = run.target.store;
    const hashes = rows.map(hashOf);
    const aliases = rows.flatMap((row) => textIn(row, "key_alias") ?? []);
    const keys = db.selectFrom("gateway_keys").selectAll();
    const found = await keys.where("key_hash", "in", hashes).execute();
    const here = new Map(found.map((row) => [row.key_hash, row]));
    const named = await keys.where("key_alias", "in", [...aliases, ""]).execute();
    const owners = new Map(named.map((row) => [row.key_alias!, row.key_hash]));
    return rows.map((row, at) => itemOf(step, row, { here: here.get(hashes[at]!), owners, groups }));
  });
  await importRenewed(run);
}

/** A row's key is named by its hash; very old rows hold the key itself. */
function hashOf(row: JsonObject): string {
  return hashOfToken(String(row.token));
}

/** The hash of a key that is named by its hash or its text; other names stay. */
export function hashOfToken(token: string): string {
  return /^[0-9a-f]{64}$/.test(token) ? token : sha256(token);
}

interface Surroundings {
  readonly here: KeyRow | undefined;
  /** Hashes of keys by the aliases that they have here. */
  readonly owners: Map<string, string>;
  /** Names of groups of models by their ids. */
  readonly groups: ReadonlyMap<string, string>;
}

function itemOf(step: Step, row: JsonObject, { here, owners, groups }: Surroundings): Item | undefined {
  const { run } = step;
  const { target } = run;
  const hash = hashOf(row);
  const shown = textIn(row, "key_alias") ?? textIn(row, "key_name") ?? `${hash.slice(0, 12)}...`;
  if (row.team_id === CONSOLE_TEAM) {
    step.report.leave(shown, "it belongs to a session of LiteLLM's console");
    return undefined;
  }
  if (run.isOfFile(hash)) {
    step.report.leave(shown, OF_FILE);
    return undefined;
  }
  const given = present(fieldsOf(row, groups));
  const missing = target.missing({
    budget: given.budget_id as string | undefined,
    team: given.team_id as string | undefined,
    user: given.user_id as string | undefined,
    organization: given.organization_id as string | undefined,
  });
  if (missing !== undefined) {
    step.report.leave(shown, missing);
    return undefined;
  }
  requireOwnAlias(step, hash, given, owners);
  const fields = enforced(step, shown, given, UNENFORCED_BY_KEYS);
  const columns = fields && readable(step, shown, fields, (body) => readKeyFields(body, 0));
  if (columns === undefined) return undefined;
  const expires = timeIn(row, "expires") ?? null;
  const body: Partial<KeyRow> = {
    ...columns,
    expires_at: expires,
    key_name: textIn(row, "key_name")?.slice(0, 64) ?? `sk-...${hash.slice(-4)}`,
  };
  const budget = run.budgets.get(String(given.budget_id));
  const duration = columns.budget_duration ?? budget?.duration;
  const spent = spendIn(row);
  const limits = duration == null ? {} : { budgetDuration: duration };
  const owner = { name: hash, isKey: true, limits };
  const resets = columns.budget_duration == null && budget !== undefined ? budget.row : row;
  return {
    id: hash,
    body: body as JsonObject,
    // Without windows a budget holds for all that a key has spent: then what LiteLLM counts against it is that.
    spent: duration == null ? spent : Math.max(spent, spendIn(row, "total_spend")),
    spentInWindow: spentInWindow(resets, spent),
    here: here && markIn(here),
    owner: here && owner,
    write: async (under) => {
      const written = await write(under, hash, body, here, row);
      return { mark: markIn(written), owner };
    },
  };
}

function fieldsOf(row: JsonObject, groups: ReadonlyMap<string, string>): JsonObject {
  const { metadata, fields } = splitMetadata(row);
  const models = textsIn(row, "models");
  const groupIds = textsIn(row, "access_group_ids");
  const named = groupIds.map((id) => groups.get(id));
  const type = textIn(row, "key_type");
  return {
    key_alias: textIn(row, "key_alias"),
    user_id: textIn(row, "user_id"),
    team_id: textIn(row, "team_id"),
    organization_id: textIn(row, "organization_id"),
    budget_id: textIn(row, "budget_id"),
    // A group widens a list of models; without a list there is nothing to widen.
    models:
      models.length === 0 ? [] : [...new Set([...models, ...named.filter((name) => name !== undefined)])],
    access_group_ids: named.includes(undefined) && models.length > 0 ? groupIds : [],
    ...limitsIn(row),
    ...fields,
    metadata,
    aliases: objectIn(row, "aliases"),
    allowed_routes: textsIn(row, "allowed_routes"),
    key_type: type !== undefined && KEY_TYPES.includes(type) ? type : undefined,
    blocked: row.blocked === true ? true : undefined,
    permissions: objectIn(row, "permissions"),
    policies: textsIn(row, "policies"),
    allowed_cache_controls: textsIn(row, "allowed_cache_controls"),
    budget_fallbacks: objectIn(row, "budget_fallbacks"),
    budget_limits: row.budget_limits,
    router_settings: objectIn(row, "router_settings"),
    object_permission: textIn(row, "object_permission_id"),
    project_id: textIn(row, "project_id"),
    agent_id: textIn(row, "agent_id"),
    auto_rotate: row.auto_rotate === true ? true : undefined,
  };
}

/** An alias is one key's. */
function requireOwnAlias(step: Step, hash: string, given: JsonObject, owners: Map<string, string>): void {
  const { key_alias: alias } = given;
  if (typeof alias !== "string") return;
  const owner = owners.get(alias) ?? hash;
  owners.set(alias, owner);
  if (owner === hash) return;
  step.report.note(alias, "key_alias, which another key has");
  delete given.key_alias;
}

async function write(
  under: Change,
  hash: string,
  columns: Partial<KeyRow>,
  here: KeyRow | undefined,
  source: JsonObject,
): Promise<KeyRow> {
  const now = Date.now();
  const { by } = under.changer;
  const row: KeyRow = {
    ...blankKey,
    ...columns,
    key_hash: hash,
    key_name: columns.key_name!,
    created_at: here?.created_at ?? timeIn(source, "created_at") ?? now,
    created_by: here?.created_by ?? textIn(source, "created_by")?.slice(0, 256) ?? by,
    // Two changes in one millisecond must not look alike.
    updated_at: Math.max(now, Number(here?.updated_at ?? 0) + 1),
    updated_by: by,
    generation: here?.generation ?? (await generationOf(under.db, "key", hash)),
  };
  await under.db
    .insertInto("gateway_keys")
    .values(row)
    .onConflict((conflict) => conflict.column("key_hash").doUpdateSet(row))
    .execute();
  await under.audit({
    action: here === undefined ? "created" : "updated",
    table: TABLE,
    id: hash,
    organizationId: row.organization_id,
    teamId: row.team_id,
    before: here && keyObject(here, 0),
    after: keyObject(row, 0),
  });
  return row;
}

function markIn({ updated_at }: KeyRow): string {
  return String(Number(updated_at));
}

/** Takes over texts of renewed keys that are still accepted. */
async function importRenewed(run: ImportRun): Promise<void> {
  const step = openStep(
    run,
    "renewed key",
    "LiteLLM_DeprecatedVerificationToken",
    "old texts of renewed keys",
  );
  if (step === undefined) return;
  await takeRows(step, async (rows) => {
    const texts = rows.map((row) => textIn(row, "token") ?? "");
    const renewed = run.target.store.db.selectFrom("renewed_keys").selectAll();
    const found = await renewed.where("old_hash", "in", texts).execute();
    const here = new Map(found.map((row) => [row.old_hash, `${row.key_hash} ${Number(row.revoked_at)}`]));
    return rows.map((row, at) => renewedItem(step, texts[at]!, row, here.get(texts[at]!)));
  });
}

function renewedItem(step: Step, old: string, row: JsonObject, here: string | undefined): Item | undefined {
  const hash = textIn(row, "active_token_id") ?? "";
  const until = timeIn(row, "revoke_at") ?? 0;
  if (until <= Date.now() || ![old, hash].every((each) => /^[0-9a-f]{64}$/.test(each))) {
    step.report.leave(`${old.slice(0, 12)}...`, "its time is over");
    return undefined;
  }
  if (step.run.isOfFile(old)) {
    step.report.leave(`${old.slice(0, 12)}...`, OF_FILE);
    return undefined;
  }
  const mark = `${hash} ${until}`;
  return {
    id: old,
    body: { mark },
    spent: 0,
    spentInWindow: 0,
    here,
    owner: undefined,
    write: async ({ db }) => {
      const renewed = { old_hash: old, key_hash: hash, revoked_at: until };
      await db
        .insertInto("renewed_keys")
        .values(renewed)
        .onConflict((conflict) => conflict.column("old_hash").doUpdateSet(renewed))
        .execute();
      return { mark };
    },
  };
}
