import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { builtPortico } from "./built-portico.ts";
import { applyLoad } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { freePort, startProcess, threadSeconds } from "./processes.ts";
import { type CpuProfile, type Share, SOURCES, sharesOf, stepPaths } from "./profile-shares.ts";
import { GATEWAY_KEY, litellmConfig } from "./subjects.ts";

const gateway = resolve(import.meta.dirname, "../../packages/gateway");
/** Microseconds between two samples. */
const SAMPLE_EVERY = 500;
/** The profiler's own thread. */
const PROFILER = /^v8:Prof/;
/** Threads by the names that Node gives them, and what they do. */
const THREADS: Readonly<Record<string, string>> = {
  spend: "The thread that brings spend rows into the database",
  "node-V8Worker": "V8's threads: compiling, garbage",
  "libuv-worker": "libuv's threads: syncing the journal, writing the log",
};

/**
 * Says where the microseconds of a plain call go. The gateway runs from its sources, because in the bundle all modules
 * are one file.
 * @throws Error when a step's module has moved
 */
export async function profilePage(
  folder: string,
  upstreamUrl: string,
  { seconds, warmup, connections }: BenchOptions,
): Promise<string> {
  for (const path of stepPaths)
    if (!existsSync(join(gateway, SOURCES, path))) throw new Error(`profile-shares.ts names ${path}`);
  const own = join(folder, "profiled");
  mkdirSync(own);
  const port = await freePort();
  const built = builtPortico(own, litellmConfig(upstreamUrl), port, join(own, "log"));
  const flags = built.args.slice(built.args.indexOf("--config"));
  const node = [
    // As bin/portico.js sets it.
    "--heap-growing-percent=100",
    "--disable-warning=ExperimentalWarning",
    `--import=${join(gateway, "test/support/from-source.ts")}`,
    "--conditions=source",
    "--cpu-prof",
    `--cpu-prof-interval=${SAMPLE_EVERY}`,
    `--cpu-prof-dir=${own}`,
  ];
  const running = await startProcess(
    { ...built, args: [...node, join(gateway, "src/main.ts"), ...flags] },
    port,
  );
  const load = (duration: number) =>
    applyLoad(
      folder,
      `http://127.0.0.1:${port}/v1/chat/completions`,
      { authorization: `Bearer ${GATEWAY_KEY}` },
      connections,
      duration,
    );
  await load(warmup);
  const before = threadSeconds(running.pid);
  const { requests, failures } = await load(seconds);
  const after = threadSeconds(running.pid);
  await running.stop();
  if (failures > 0) throw new Error(`${failures} requests failed`);
  const spent = new Map(
    [...after]
      .filter(([name]) => !PROFILER.test(name))
      .map(([name, all]) => [name, ((all - (before.get(name) ?? 0)) / requests) * 1e6]),
  );
  const shares = sharesOf(mainProfile(own), seconds);
  return page(shares, spent, requests, connections);
}

/** The main thread's; Node names the files by process, thread and number. */
function mainProfile(folder: string): CpuProfile {
  const name = readdirSync(folder).find((file) => /\.0\.\d+\.cpuprofile$/.test(file));
  if (name === undefined) throw new Error("The gateway wrote no profile");
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as CpuProfile;
}

function page(
  shares: readonly Share[],
  spent: ReadonlyMap<string, number>,
  requests: number,
  connections: number,
): string {
  const total = [...spent.values()].reduce((sum, own) => sum + own, 0);
  const main = spent.get("node-MainThread") ?? 0;
  const row = (name: string, microseconds: number): string =>
    `| ${name} | ${microseconds.toFixed(1)} | ${((microseconds / total) * 100).toFixed(1)} % |`;
  const rows = (whose: Share["whose"]): string[] =>
    shares.filter((share) => share.whose === whose).map(({ name, part }) => row(name, part * main));
  const sum = (whose: Share["whose"]): number =>
    shares.filter((share) => share.whose === whose).reduce((all, { part }) => all + part, 0) * main;
  const threads = [...spent].filter(([name, own]) => name !== "node-MainThread" && own >= 0.05);
  const others = threads.map(([name, own]) => [THREADS[name] ?? `The thread ${name}`, own] as const);
  const head = "| Step | µs a call | of all |\n| --- | ---: | ---: |";
  return `# Where each microsecond of a call goes

Written by \`npm run bench:gateway -- --profile --output docs/gateway/speed.md\` on ${new Date().toISOString().slice(0, 10)}, Node.js ${process.version},
${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown CPU"}, load average at the end ${loadavg()[0]!.toFixed(1)}: above ${cpus().length} other work disturbed the run, and
made most of all the steps dearer that end in a system call.

${requests} chat completions of about 700 bytes over ${connections} connections, answered by nginx with a completion of about 1 kB; a key,
a spend row in SQLite, a log line to a file. The gateway's threads took ${total.toFixed(0)} µs of CPU a call. The main thread's ${main.toFixed(0)} µs are
told apart by a profile with a sample each ${SAMPLE_EVERY} µs. A sample counts to the module whose code ran, with the built-in functions
that it called; what Node's own modules do counts to Node, whoever called them. The gateway's first 10 to 20 s of load are spent on
compiling too, which shows among V8's threads.

## The gateway's own steps: ${sum("ours").toFixed(0)} µs

${head}
${rows("ours").join("\n")}

## Node.js and the kernel, on the main thread: ${sum("node").toFixed(0)} µs

${head}
${rows("node").join("\n")}

## Other threads: ${(total - main).toFixed(0)} µs

${head}
${others
  .sort(([, one], [, other]) => other - one)
  .map(([name, own]) => row(name, own))
  .join("\n")}
`;
}
