import { createHash, randomBytes } from "node:crypto";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import pg from "pg";

/**
 * Tables as LiteLLM 1.109 makes them, by its published schema, as far as an import reads them: column types by name, the
 * key first. Everything that an import must bear is nullable here.
 */
const TABLES: Readonly<Record<string, string>> = {
  LiteLLM_BudgetTable:
    "budget_id text primary key, max_budget float8, soft_budget float8, max_parallel_requests int, tpm_limit bigint, rpm_limit bigint, tpd_limit bigint, model_max_budget jsonb, budget_duration text, budget_reset_at timestamp(3)",
  LiteLLM_OrganizationTable:
    "organization_id text primary key, organization_alias text, budget_id text, metadata jsonb default '{}', models text[], spend float8 default 0, created_by text",
  LiteLLM_TeamTable:
    "team_id text primary key, team_alias text, organization_id text, admins text[], members text[], members_with_roles jsonb default '{}', metadata jsonb default '{}', max_budget float8, spend float8 default 0, models text[], tpm_limit bigint, rpm_limit bigint, tpd_limit bigint, budget_duration text, budget_reset_at timestamp(3), blocked boolean default false, model_id int",
  LiteLLM_ModelTable: "id int primary key, aliases jsonb",
  LiteLLM_UserTable:
    "user_id text primary key, user_alias text, user_email text, user_role text, max_budget float8, spend float8 default 0, models text[], metadata jsonb default '{}', budget_duration text, budget_reset_at timestamp(3), password text",
  LiteLLM_TeamMembership:
    "user_id text, team_id text, spend float8 default 0, budget_id text, primary key (user_id, team_id)",
  LiteLLM_OrganizationMembership:
    "user_id text, organization_id text, user_role text, spend float8, budget_id text, primary key (user_id, organization_id)",
  LiteLLM_EndUserTable:
    "user_id text primary key, alias text, spend float8 default 0, budget_id text, blocked boolean default false, models text[]",
  LiteLLM_TagTable:
    "tag_name text primary key, description text, models text[], spend float8 default 0, budget_id text",
  LiteLLM_CredentialsTable:
    "credential_id text primary key, credential_name text, credential_values jsonb, credential_info jsonb",
  LiteLLM_ProxyModelTable:
    "model_id text primary key, model_name text, litellm_params jsonb, model_info jsonb, blocked boolean default false",
  LiteLLM_AccessGroupTable:
    "access_group_id text primary key, access_group_name text, access_model_names text[] default '{}'",
  LiteLLM_VerificationToken:
    "token text primary key, key_name text, key_alias text, spend float8 default 0, total_spend float8 default 0, expires timestamp(3), models text[], aliases jsonb default '{}', user_id text, team_id text, metadata jsonb default '{}', blocked boolean, tpm_limit bigint, rpm_limit bigint, tpd_limit bigint, max_parallel_requests int, max_budget float8, budget_duration text, budget_reset_at timestamp(3), allowed_routes text[] default '{}', access_group_ids text[] default '{}', permissions jsonb default '{}', budget_id text, organization_id text, created_at timestamp(3) default now()",
  LiteLLM_DeprecatedVerificationToken:
    "id text primary key, token text, active_token_id text, revoke_at timestamp(3)",
  LiteLLM_SpendLogs:
    "request_id text primary key, call_type text, api_key text default '', spend float8 default 0, prompt_tokens int default 0, completion_tokens int default 0, \"startTime\" timestamp(3), \"endTime\" timestamp(3), model text default '', model_id text default '', model_group text default '', custom_llm_provider text default '', \"user\" text default '', metadata jsonb default '{}', request_tags jsonb default '[]', team_id text, organization_id text, end_user text, messages jsonb default '{}', status text",
  LiteLLM_GuardrailsTable: "guardrail_id text primary key, guardrail_name text",
};

/** A database with LiteLLM's tables, and rows as LiteLLM writes them. */
export class LiteLlmTables {
  readonly url: string;
  readonly #client: pg.Client;

  private constructor(url: string, client: pg.Client) {
    this.url = url;
    this.#client = client;
  }

  /** @param only these tables, for versions that have no others */
  static async make(url: string, only: readonly string[] = Object.keys(TABLES)): Promise<LiteLlmTables> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const table of only) await client.query(`create table "${table}" (${TABLES[table]})`);
    return new LiteLlmTables(url, client);
  }

  async add(table: string, ...rows: readonly object[]): Promise<void> {
    for (const row of rows) {
      const values = Object.values(row).map((value: unknown) =>
        typeof value === "object" && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value,
      );
      const columns = Object.keys(row)
        .map((name) => `"${name}"`)
        .join(", ");
      const places = values.map((_, at) => `$${at + 1}`).join(", ");
      await this.#client.query(`insert into "${table}" (${columns}) values (${places})`, values);
    }
  }

  async run(statement: string): Promise<void> {
    await this.#client.query(statement);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** A key's row has the hash of its text. */
export function hashed(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Encrypts as LiteLLM does: NaCl's secretbox under the SHA-256 of the salt key, in URL-safe base64 with padding. */
export function encrypted(text: string, saltKey: string): string {
  const nonce = randomBytes(24);
  const key = createHash("sha256").update(saltKey).digest();
  const box = xsalsa20poly1305(key, nonce).encrypt(Buffer.from(text));
  return Buffer.concat([nonce, box]).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}
