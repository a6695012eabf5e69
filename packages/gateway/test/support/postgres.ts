import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { madeOnce } from "../../../../tools/made-once.ts";
import { afterProcess } from "./after-process.ts";
import { onFreePort } from "./free-port.ts";

/** A PostgreSQL cluster of a test file's own, for those that end it; all others share one (`shared-postgres.ts`). */
export interface TestPostgres {
  /**
   * Makes an empty database and returns its address; an attempt at a test that has its own cannot spoil the next.
   * One with a name is made once, and found again in a folder that was kept.
   */
  createDatabase(named?: string): Promise<string>;
  /** Ends the server as a crash does; what it has on disk stays. */
  crash(): void;
  /** Starts it at the same address after `crash`. */
  startAgain(): void;
  /**
   * Stops its processes in their tracks: connections stay, and nothing is answered.
   * @returns has them go on
   */
  freeze(): () => void;
  stop(): void;
}

/**
 * Starts a cluster in a temporary folder on a free port; PostgreSQL refuses to run as root, so root lends it a user.
 * @param settings in place of what is enough for a test
 * @param kept a folder that stays: what an earlier run left in it is there again
 * @param endsWithProcess false where somebody else ends it
 */
export async function startPostgres(
  settings: readonly string[] = ["shared_buffers=16MB"],
  kept?: string,
  endsWithProcess = true,
): Promise<TestPostgres> {
  const binaries = findPostgres();
  if (binaries === undefined)
    throw new Error("PostgreSQL is needed for this test: apt-get install postgresql");
  const folder = kept ?? mkdtempSync(join(tmpdir(), "portico-pg-"));
  if (kept !== undefined) mkdirSync(kept, { recursive: true });
  const asRoot = process.getuid?.() === 0;
  const lend = (place: string): void => {
    if (asRoot) execFileSync("chown", ["postgres", place]);
  };
  lend(folder);
  const wordsOf = (command: string, ...args: string[]): [string, ...string[]] => {
    const program = join(binaries, command);
    return asRoot ? ["runuser", "-u", "postgres", "--", program, ...args] : [program, ...args];
  };
  const run = (...command: [string, ...string[]]): void => {
    const [program, ...words] = wordsOf(...command);
    const env = { PATH: process.env.PATH, LC_ALL: "C" };
    execFileSync(program, words, { cwd: folder, stdio: "pipe", env });
  };
  const data = join(folder, "data");
  const make = (place: string): void =>
    run("initdb", "-D", place, "-U", "postgres", "-A", "trust", "--no-sync");
  if (!existsSync(data)) {
    if (process.env.TEST_RUN_FOLDER === undefined) make(data);
    else {
      // A copy of an empty cluster is there sooner than one that is made.
      const empty = await madeOnce("postgres", (place) => {
        lend(place);
        make(join(place, "data"));
      });
      execFileSync("cp", ["-a", join(empty, "data"), data]);
    }
  }
  const start = (port: number): void => {
    // The cluster lives for one test run: it need not survive a power cut.
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off ${settings.map((each) => `-c ${each}`).join(" ")}`;
    run("pg_ctl", "-D", data, "-o", options, "-w", "-t", patience, "-l", join(folder, "log"), "start");
  };
  const port = await onFreePort(async (free) => {
    start(free);
    return free;
  });
  // Whoever keeps the folder need not read the log of all that was written when it starts again.
  const how = kept === undefined ? "immediate" : "fast";
  const stop = ["pg_ctl", "-D", data, "-m", how, "-w", "-t", patience, "stop"] as const;
  const noGuard = endsWithProcess ? afterProcess(...wordsOf(...stop)) : () => {};
  const addressOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  return {
    createDatabase: async (named) => {
      const name = named ?? `test_${randomUUID().replaceAll("-", "")}`;
      const client = new pg.Client({ connectionString: addressOf("postgres") });
      await client.connect();
      const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
      if (rowCount === 0) await client.query(`create database ${name}`);
      await client.end();
      return addressOf(name);
    },
    crash: () => run(...stop),
    startAgain: () => start(port),
    freeze: () => {
      const [postmaster] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n") as [string];
      process.kill(Number(postmaster), "SIGSTOP");
      const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", postmaster], { encoding: "utf8" });
      const all = [postmaster, ...stdout.split(/\s+/).filter((pid) => pid !== "")];
      const noThaw = afterProcess("kill", "-CONT", ...all);
      // Processes of the server may end meanwhile by themselves.
      const each = (signal: "SIGSTOP" | "SIGCONT") => spawnSync("kill", [`-${signal.slice(3)}`, ...all]);
      each("SIGSTOP");
      return () => {
        noThaw();
        each("SIGCONT");
      };
    },
    stop: () => {
      noGuard();
      run(...stop);
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Seconds that a loaded machine may take to start or stop a cluster. */
const patience = "240";

/** The folder of PostgreSQL's programs; Debian keeps them out of the path, in a folder for each version. */
export function findPostgres(): string | undefined {
  const onPath = spawnSync("sh", ["-c", "dirname $(readlink -f $(command -v initdb))"], { encoding: "utf8" });
  if (onPath.status === 0 && onPath.stdout.trim() !== "" && existsSync(join(onPath.stdout.trim(), "initdb")))
    return onPath.stdout.trim();
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root)
    ? readdirSync(root).sort((left, right) => Number(right) - Number(left))
    : [];
  for (const version of versions) {
    const folder = join(root, version, "bin");
    if (existsSync(join(folder, "initdb"))) return folder;
  }
  return undefined;
}
