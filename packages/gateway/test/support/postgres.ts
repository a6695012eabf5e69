import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PostgreSQL cluster of a test's own. */
export interface TestPostgres {
  readonly url: string;
  /** Makes another empty database in the cluster and returns its address. */
  createDatabase(name: string): string;
  stop(): void;
}

/** Starts a cluster in a temporary folder on a free port; PostgreSQL refuses to run as root, so root lends it a user. */
export async function startPostgres(): Promise<TestPostgres> {
  const binaries = findPostgres();
  if (binaries === undefined)
    throw new Error("PostgreSQL is needed for this test: apt-get install postgresql");
  const folder = mkdtempSync(join(tmpdir(), "portico-pg-"));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) execFileSync("chown", ["postgres", folder]);
  const run = (command: string, ...args: string[]): void => {
    const words = [join(binaries, command), ...args];
    const [program, rest] = asRoot
      ? ["runuser", ["-u", "postgres", "--", ...words]]
      : [words[0]!, words.slice(1)];
    execFileSync(program, rest, { cwd: folder, stdio: "pipe", env: { PATH: process.env.PATH, LC_ALL: "C" } });
  };
  const data = join(folder, "data");
  const port = await freePort();
  // The cluster lives for one test run: it need not survive a power cut.
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=16MB`;
  run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync");
  run("pg_ctl", "-D", data, "-o", options, "-w", "-l", join(folder, "log"), "start");
  const addressOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  return {
    url: addressOf("postgres"),
    createDatabase: (name) => {
      run("createdb", "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", name);
      return addressOf(name);
    },
    stop: () => {
      run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
