import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundledForTests, compileCache } from "../../../tools/bundles.ts";
import { startRedis, type TestRedis } from "./support/redis.ts";
import { hasPostgres, hasRedis } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-bundle-"));
let postgres: TestDatabases;
let redis: TestRedis;
const hasServers = hasPostgres && hasRedis;

beforeAll(async () => {
  if (!hasServers) return;
  postgres = await openDatabases();
  redis = await startRedis();
});
afterAll(async () => {
  await postgres?.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.for([{ store: "SQLite" }, { store: "PostgreSQL and Redis" }])(
  "serves from the published bundle on $store",
  async ({ store }, { skip }) => {
    const isOnSqlite = store === "SQLite";
    if (!isOnSqlite && !hasServers) skip();
    const data = join(folder, `data ${store}`);
    const flags = ["--port", "0", "--host", "127.0.0.1", "--data-dir", data];
    const gateway = spawn(
      process.execPath,
      [join(await bundledForTests("gateway"), "bin/portico.js"), ...flags],
      {
        env: {
          PATH: process.env.PATH,
          ...compileCache(),
          ...(isOnSqlite
            ? {}
            : { DATABASE_URL: await postgres.createDatabase("empty"), REDIS_URL: redis.url }),
        },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const exited = once(gateway, "exit");
    try {
      const printed: string[] = [];
      for await (const line of createInterface({ input: gateway.stderr })) {
        printed.push(line);
        if (line.startsWith("Try it")) break;
      }
      const text = printed.join("\n");
      const url = /ready on (\S+)/.exec(text)?.[1];
      const key = readFileSync(join(data, "master-key"), "utf8").trim();
      expect(text).toContain("ready on");
      const ready = await fetch(`${url}/health/readiness`);
      expect(await ready.json()).toMatchObject({ status: "healthy", db: "connected" });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({
        model: "gemini-2.5-flash",
        messages: [{ role: "user", content: "hello" }],
      });
      const ask = (path: string): Promise<Response> => fetch(url + path, { method: "POST", headers, body });
      const answer = await ask("/v1/chat/completions");
      expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "echo: hello" } }] });
      // Threads have entries of their own in the bundle: of those that count, and that write rows.
      const counted = await ask("/v1/messages/count_tokens");
      expect(await counted.json()).toMatchObject({ input_tokens: expect.any(Number) });
      const rows = async (): Promise<unknown> => (await fetch(`${url}/spend/logs`, { headers })).json();
      const row = expect.objectContaining({ call_type: "acompletion", model: "gemini-2.5-flash" });
      await expect.poll(rows).toMatchObject({ data: expect.arrayContaining([row]) });
    } finally {
      gateway.kill("SIGTERM");
      expect(await exited).toEqual([0, null]);
    }
  },
);

it("starts without Node's fetch, web streams, promises of files and lists of networks, which take long to load", async () => {
  const config = join(folder, "config.yaml");
  writeFileSync(config, "model_list: [{model_name: a, litellm_params: {model: openai/a, api_key: k}}]\n");
  // Said as the port opens: what the first calls need is loaded right after that.
  const loaded = `import { subscribe } from "node:diagnostics_channel";
    subscribe("tracing:net.server.listen:asyncEnd", () => console.log(process.moduleLoadList.join()));`;
  const flags = [
    "--config",
    config,
    "--port",
    "0",
    "--host",
    "127.0.0.1",
    "--data-dir",
    join(folder, "start"),
  ];
  const own = join(await bundledForTests("gateway"), "bin/portico.js");
  const gateway = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(loaded)}`, own, ...flags],
    {
      env: { PATH: process.env.PATH, ...compileCache() },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const printed = text(gateway.stdout);
  for await (const line of createInterface({ input: gateway.stderr })) if (line.includes("ready on")) break;
  gateway.kill("SIGTERM");
  const modules = (await printed).split(",");
  expect(modules).toContain("NativeModule http");
  for (const module of ["deps/undici/undici", "webstreams/readablestream", "fs/promises", "blocklist"])
    expect(modules).not.toContain(`NativeModule internal/${module}`);
});

it("loads no library on the thread that writes spend rows into SQLite", async () => {
  const folder = join(await bundledForTests("gateway"), "dist");
  const loaded = new Map<string, string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    const text = readFileSync(join(folder, name), "utf8");
    loaded.set(name, text);
    for (const [, next] of text.matchAll(/(?:\bfrom|^import) ?"\.\/([^"]+)"/gm)) load(next!);
    for (const [, next] of text.matchAll(/import\("\.\/(sqlite-sink[^"]*)"\)/g)) load(next!);
  };
  load("spend-writer.js");
  expect([...loaded.keys()].some((name) => name.startsWith("sqlite-sink"))).toBe(true);
  // The thread starts with each process and has a small heap: Kysely alone would be 300 KB of source to read.
  const bytes = [...loaded.values()].reduce((sum, text) => sum + text.length, 0);
  expect(bytes).toBeLessThan(100_000);
});
