import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { porticoProgram, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startPostgres } from "../support/postgres.ts";
import type { Row } from "./management.ts";
import { type Python, runProgram } from "./python.ts";

/** A version of LiteLLM's schema: its migrations up to one of them. */
interface Version {
  readonly name: string;
  readonly migrations: readonly string[];
}

/**
 * `portico import litellm` of databases that LiteLLM's own migrations make and whose rows its own code hashes and
 * encrypts, at several versions of its schema; then calls with the old keys.
 */
export async function takeOver(python: Python, salt: string, folder: string): Promise<Row[]> {
  const postgres = await startPostgres();
  const providers = await startTestGateway();
  try {
    const rows: Row[] = [];
    for (const version of await versions(python)) {
      for (const cipher of ["nacl", "aes-256-gcm"]) {
        const url = await postgres.createDatabase();
        const keys = ["sk-first-0123456789", "sk-second-0123456789"];
        await fill(python, url, version, keys, `${providers.simulatorUrl}/openai/v1`, cipher);
        const name = `${version.name}, ${cipher}`;
        rows.push(...(await importFrom(url, name, keys, salt, join(folder, name.replaceAll(/\W/g, "-")))));
      }
    }
    return rows;
  } finally {
    await providers.close();
    postgres.stop();
  }
}

/** Of all migrations, the newest, and older states of the schema. */
async function versions(python: Python): Promise<Version[]> {
  const folder = await python.packageFolder("litellm_proxy_extras", "migrations");
  const all = readdirSync(folder)
    .filter((each) => /^\d/.test(each))
    .sort()
    .map((each) => join(folder, each, "migration.sql"));
  return [1, 0.75, 0.5, 0.25].map((share) => {
    const migrations = all.slice(0, Math.ceil(all.length * share));
    return { name: `schema of ${migrations.at(-1)!.split("/").at(-2)!.slice(0, 8)}`, migrations };
  });
}

async function fill(
  python: Python,
  url: string,
  { migrations }: Version,
  keys: readonly string[],
  provider: string,
  cipher: string,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const file of migrations)
      await client.query(readFileSync(file, "utf8")).catch((error: Error) => {
        // Some of them repeat what another one did.
        if (!/already exists|does not exist|CONCURRENTLY/.test(error.message)) throw error;
      });
    const params = { model: "openai/gpt-4o", api_base: provider };
    const wanted = { hash: keys, encrypt: [params, { api_key: "sk-of-the-provider" }], cipher };
    const { code, out } = await python.run([join(import.meta.dirname, "encrypt.py")], wanted);
    if (code !== 0) throw new Error(out);
    const made = JSON.parse(out.slice(out.indexOf("{"))) as { hash: string[]; encrypt: object[] };
    const hasCredentials = (await client.query(`select to_regclass('"LiteLLM_CredentialsTable"') as it`))
      .rows[0].it;
    await client.query(`insert into "LiteLLM_UserTable" (user_id, user_email) values ('u', 'u@example.com')`);
    await client.query(
      `insert into "LiteLLM_TeamTable" (team_id, team_alias, members_with_roles) values ('t', 'Team', $1)`,
      [JSON.stringify([{ user_id: "u", role: "admin" }])],
    );
    if (hasCredentials !== null)
      await client.query(
        `insert into "LiteLLM_CredentialsTable" (credential_id, credential_name, credential_values, created_by, updated_by, updated_at) values ('c', 'house', $1, 'a', 'a', now())`,
        [JSON.stringify(made.encrypt[1])],
      );
    const named = hasCredentials === null ? made.encrypt[1] : { litellm_credential_name: "house" };
    await client.query(
      `insert into "LiteLLM_ProxyModelTable" (model_id, model_name, litellm_params, created_by, updated_by, updated_at) values ('m', 'house', $1, 'a', 'a', now())`,
      [JSON.stringify({ ...made.encrypt[0], ...named })],
    );
    for (const [at, token] of made.hash.entries()) {
      await client.query(
        `insert into "LiteLLM_VerificationToken" (token, key_alias, team_id, user_id, spend, models) values ($1, $2, 't', 'u', 1.5, '{}')`,
        [token, `key ${at}`],
      );
      await client.query(
        `insert into "LiteLLM_SpendLogs" (request_id, call_type, api_key, spend, "startTime", "endTime", model) values ($1, 'acompletion', $2, 1.5, now(), now(), 'house')`,
        [`r${at}`, token],
      );
    }
  } finally {
    await client.end();
  }
}

async function importFrom(
  url: string,
  name: string,
  keys: readonly string[],
  salt: string,
  data: string,
): Promise<Row[]> {
  const program = await porticoProgram();
  const words = [...program, "import", "litellm", url, "--data-dir", data, "--spend-log", "--json"];
  const env = { PATH: process.env.PATH, LITELLM_SALT_KEY: salt };
  const counts: string[] = [];
  for (const more of [["--dry-run"], [], []]) {
    const { code, out } = await runProgram(process.execPath, [...words, ...more], env);
    if (code !== 0) return [{ name, works: false, why: out.slice(-600) }];
    counts.push(countsOf(out));
  }
  const gateway = await startTestGateway({ dataDirectory: data, environment: { LITELLM_SALT_KEY: salt } });
  try {
    const wrong = await wrongAfter(gateway, keys);
    const [planned, taken, again] = counts;
    if (planned !== taken) wrong.push(`the dry run said ${planned}, the import took ${taken}`);
    if (!/^0 taken/.test(again!)) wrong.push(`a second import took ${again}`);
    const report = `${name}: ${taken}`;
    return [
      wrong.length === 0
        ? { name: report, works: true }
        : { name: report, works: false, why: wrong.join("; ") },
    ];
  } finally {
    await gateway.close();
  }
}

function countsOf(out: string): string {
  const { tables } = JSON.parse(out) as { tables: { taken: number; not_taken: number }[] };
  const sum = (name: "taken" | "not_taken") => tables.reduce((all, each) => all + each[name], 0);
  return `${sum("taken")} taken, ${sum("not_taken")} not`;
}

async function wrongAfter(gateway: TestGateway, keys: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const key of keys) {
    const { spend } = (
      (await (await gateway.call(`/key/info?key=${key}`)).json()) as { info: { spend: number } }
    ).info;
    if (spend !== 1.5) wrong.push(`a key has spent ${spend}`);
    const messages = [{ role: "user", content: "hello" }];
    const answer = await gateway.call("/v1/chat/completions", { key, body: { model: "house", messages } });
    if (answer.status !== 200)
      wrong.push(`a call with an imported key: ${answer.status} ${await answer.text()}`);
  }
  const { data } = (await (await gateway.call("/spend/logs?limit=100")).json()) as {
    data: { request_id: string }[];
  };
  if (data.filter(({ request_id }) => /^r\d$/.test(request_id)).length !== keys.length)
    wrong.push("rows of the spend log are missing");
  return wrong;
}
