// LiteLLM from PyPI at its newest version against a gateway in front of the simulated providers: its Python management
// client, its command line, and `portico import litellm` of a database that its own migrations make and whose rows its own
// code hashes and encrypts. `--part client`, `shell` or `import` runs that alone; `--python FOLDER` takes a virtual environment that has `litellm[proxy]` already.
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { porticoProgram, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startPostgres } from "../support/postgres.ts";

const SALT = "sk-salt-of-litellm";
const { values } = parseArgs({ options: { python: { type: "string" }, part: { type: "string" } } });
const isWanted = (part: string): boolean => values.part === undefined || values.part === part;
const folder = mkdtempSync(join(tmpdir(), "litellm-client-"));
const environment = values.python ?? join(folder, "venv");
const python = join(environment, "bin/python");
// It would look for prices on the internet, and wait for them.
const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: "True", LITELLM_SALT_KEY: SALT, HOME: folder };
const failed: string[] = [];

try {
  if (values.python === undefined) {
    execFileSync("python3", ["-m", "venv", environment]);
    execFileSync(python, ["-m", "pip", "install", "-q", "litellm[proxy]", "litellm-proxy-extras"], {
      stdio: "inherit",
    });
  }
  const gateway = await startTestGateway();
  try {
    const script = join(import.meta.dirname, "manage.py");
    if (isWanted("client") && (await run(python, [script, gateway.url, gateway.masterKey])) !== 0)
      failed.push("the Python client");
    if (isWanted("shell")) await useCommandLine(gateway);
  } finally {
    await gateway.close();
  }
  if (isWanted("import")) await importDatabase();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(failed.length === 0 ? "all of it works\n" : `fails: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function useCommandLine({ url, masterKey }: TestGateway): Promise<void> {
  const commands: readonly (readonly string[])[] = [
    ["keys", "list"],
    ["keys", "generate", "--key-alias", "shell", "--models", "gpt-4o"],
    ["keys", "delete", "--key-aliases", "shell"],
    ["users", "create", "--email", "bob@example.com", "--max-budget", "3"],
    ["users", "list"],
    ["teams", "list"],
    ["teams", "available"],
    ["models", "list"],
    ["models", "info"],
    ["models", "add", "shell", "-p", "model=openai/gpt-4o"],
    ["models", "get", "--name", "shell"],
    ["credentials", "create", "shell", "--info", '{"a":"b"}', "--values", '{"api_key":"sk-1234567"}'],
    ["credentials", "list"],
    ["credentials", "get", "shell"],
    ["credentials", "delete", "shell"],
    ["http", "request", "GET", "/health/readiness"],
  ];
  const program = join(environment, "bin/litellm-proxy");
  for (const words of commands) {
    const given = { ...env, LITELLM_PROXY_URL: url, LITELLM_PROXY_API_KEY: masterKey };
    const { code, out } = await output(program, words, given);
    const isDone = code === 0 && !/Traceback|"error":/.test(out);
    process.stdout.write(
      `${isDone ? "ok" : "FAILS"} ${words.slice(0, 2).join(" ")}${isDone ? "" : `: ${out.slice(-500)}`}\n`,
    );
    if (!isDone) failed.push(`litellm-proxy ${words.join(" ")}`);
  }
}

/** LiteLLM's own schema, hashes and encryption; then calls with the old keys. */
async function importDatabase(): Promise<void> {
  const postgres = await startPostgres();
  const providers = await startTestGateway();
  try {
    const url = await postgres.createDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const migrations = await packageFolder("litellm_proxy_extras", "migrations");
    for (const name of readdirSync(migrations)
      .filter((each) => /^\d/.test(each))
      .sort()) {
      const file = join(migrations, name, "migration.sql");
      await client.query(readFileSync(file, "utf8")).catch((error: Error) => {
        // Some of them repeat what another one did.
        if (!/already exists|does not exist|CONCURRENTLY/.test(error.message)) throw error;
      });
    }
    const keys = ["sk-first-0123456789", "sk-second-0123456789"];
    const params = { model: "openai/gpt-4o", api_base: `${providers.simulatorUrl}/openai/v1` };
    const credential = { api_key: "sk-of-the-provider" };
    const made = JSON.parse(
      await output(python, [join(import.meta.dirname, "encrypt.py")], env, {
        hash: keys,
        encrypt: [params, credential],
      }).then(({ out }) => out.slice(out.indexOf("{"))),
    ) as { hash: string[]; encrypt: object[] };
    await client.query(`insert into "LiteLLM_UserTable" (user_id, user_email) values ('u', 'u@example.com')`);
    await client.query(
      `insert into "LiteLLM_TeamTable" (team_id, team_alias, members_with_roles) values ('t', 'Team', $1)`,
      [JSON.stringify([{ user_id: "u", role: "admin" }])],
    );
    await client.query(
      `insert into "LiteLLM_CredentialsTable" (credential_id, credential_name, credential_values, created_by, updated_by, updated_at) values ('c', 'house', $1, 'a', 'a', now())`,
      [JSON.stringify(made.encrypt[1])],
    );
    await client.query(
      `insert into "LiteLLM_ProxyModelTable" (model_id, model_name, litellm_params, created_by, updated_by, updated_at) values ('m', 'house', $1, 'a', 'a', now())`,
      [JSON.stringify({ ...made.encrypt[0], litellm_credential_name: "house" })],
    );
    for (const [at, token] of made.hash.entries())
      await client.query(
        `insert into "LiteLLM_VerificationToken" (token, key_alias, team_id, user_id, spend, models) values ($1, $2, 't', 'u', 1.5, '{}')`,
        [token, `key ${at}`],
      );
    await client.end();
    const data = join(folder, "data");
    const words = [...(await porticoProgram()), "import", "litellm", url, "--data-dir", data];
    process.stdout.write((await output(process.execPath, words, env)).out);
    const gateway = await startTestGateway({ dataDirectory: data, environment: { LITELLM_SALT_KEY: SALT } });
    for (const key of keys) {
      const messages = [{ role: "user", content: "hello" }];
      const { status } = await gateway.call("/v1/chat/completions", {
        key,
        body: { model: "house", messages },
      });
      process.stdout.write(`${status === 200 ? "ok" : "FAILS"} a call with an imported key: ${status}\n`);
      if (status !== 200) failed.push("a call with an imported key");
    }
    await gateway.close();
  } finally {
    await providers.close();
    postgres.stop();
  }
}

async function packageFolder(name: string, within: string): Promise<string> {
  const { out } = await output(python, ["-c", `import ${name}; print(${name}.__path__[0])`], env);
  return join(out.trim().split("\n").at(-1)!, within);
}

function run(program: string, words: readonly string[]): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, words, { env, stdio: "inherit" });
    child.once("error", fail);
    child.once("exit", (code) => done(code ?? 1));
  });
}

function output(
  program: string,
  words: readonly string[],
  given: NodeJS.ProcessEnv,
  input?: object,
): Promise<{ code: number; out: string }> {
  return new Promise((done) => {
    const child = execFile(program, words, { env: given, maxBuffer: 2 ** 26 }, (error, out, err) =>
      done({ code: error === null ? 0 : 1, out: error === null ? out : out + err }),
    );
    child.stdin?.end(input === undefined ? "" : JSON.stringify(input));
  });
}
