import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCharts } from "../charts/main.ts";
import { median } from "../statistics.ts";
import { agentRequest } from "./agent-request.ts";
import { largePart, withLargePart } from "./large-part.ts";
import { applyLoad, CHAT_REQUEST, type LoadResult } from "./load.ts";
import { withMatrixPart } from "./matrix/matrix-page.ts";
import { runMatrix } from "./matrix/run.ts";
import { type BenchOptions, readBenchOptions } from "./options.ts";
import { cpuSeconds, residentMegabytes } from "./processes.ts";
import { profilePage } from "./profile.ts";
import { benchmarkPage, type Measurement } from "./report.ts";
import { type Subject, startSubject } from "./subjects.ts";
import { startNginx } from "./upstream.ts";

/**
 * Measures the subjects in turns against the same upstream and writes the report: whatever else the machine does meets
 * all of them.
 */
async function main(): Promise<void> {
  const options = readBenchOptions(process.argv.slice(2));
  const folder = mkdtempSync(join(tmpdir(), "portico-bench-"));
  if (options.peers) {
    try {
      const part = await runMatrix(folder, options.cache, options.quick, options.only);
      process.stdout.write(part);
      if (options.output !== undefined)
        writeFileSync(options.output, withMatrixPart(readFileSync(options.output, "utf8"), part));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return;
  }
  const nginx = await startNginx(folder, "short", options.large);
  const subjects: Subject[] = [];
  try {
    if (options.profile) {
      const page = await profilePage(folder, nginx.upstreamUrl, options);
      process.stdout.write(page);
      if (options.output !== undefined) writeFileSync(options.output, page);
      return;
    }
    const upstream = `${nginx.upstreamUrl}/v1/chat/completions`;
    for (const name of options.subjects)
      subjects.push(await startSubject(name, { folder: join(folder, name), cache: options.cache, nginx }));
    const measured = async (request: object): Promise<Measurement[]> => {
      const direct = await applyLoad(folder, upstream, {}, 1, options.seconds, request);
      return measureAll(subjects, folder, options, direct, request);
    };
    if (options.large) {
      const sizes = new Map<string, Measurement[]>();
      for (const [size, bytes] of LARGE_SIZES) sizes.set(size, await measured(agentRequest(bytes)));
      const part = largePart(sizes, options, new Date());
      process.stdout.write(part);
      if (options.output !== undefined)
        writeFileSync(options.output, withLargePart(readFileSync(options.output, "utf8"), part));
      return;
    }
    const page = benchmarkPage(await measured(CHAT_REQUEST), options, new Date());
    process.stdout.write(page);
    if (options.output !== undefined) {
      writeFileSync(options.output, page + memoryPart(options.output));
      writeCharts();
    }
  } finally {
    for (const subject of subjects) await subject.stop();
    await nginx.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lengths of the requests of `--large` in bytes. */
const LARGE_SIZES = [
  ["300 KB", 300_000],
  ["1 MB", 1_000_000],
] as const;

/** The page's part about memory, which comes from other runs. */
function memoryPart(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const start = text.indexOf("\n## Memory");
  return start === -1 ? "" : text.slice(start);
}

async function measureAll(
  subjects: readonly Subject[],
  folder: string,
  options: BenchOptions,
  direct: LoadResult,
  request: object,
): Promise<Measurement[]> {
  const load = (subject: Subject, connections: number, seconds: number): Promise<LoadResult> =>
    applyLoad(folder, subject.url, subject.headers, connections, seconds, request);
  for (const subject of subjects) await load(subject, options.connections, options.warmup);
  const rounds = new Map<Subject, Round[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const subject of subjects) {
      const before = cpuSeconds(subject.pid);
      const busy = await load(subject, options.connections, options.seconds);
      const cpu = cpuSeconds(subject.pid) - before;
      const single = await load(subject, 1, options.seconds);
      const measured = { busy, single, cpuMicroseconds: (cpu / busy.requests) * 1e6 };
      process.stderr.write(`${subject.name} ${measured.cpuMicroseconds.toFixed(1)}\n`);
      rounds.get(subject)!.push(measured);
    }
  }
  return subjects.map((subject) => measurementOf(subject, rounds.get(subject)!, direct));
}

/** One turn of a subject. */
interface Round {
  readonly busy: LoadResult;
  readonly single: LoadResult;
  readonly cpuMicroseconds: number;
}

function measurementOf(
  { name, title, pid }: Subject,
  rounds: readonly Round[],
  direct: LoadResult,
): Measurement {
  return {
    name,
    title,
    requestsPerSecond: median(rounds.map(({ busy }) => busy.perSecond)),
    cpuMicroseconds: median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    leastCpuMicroseconds: Math.min(...rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    addedP50: median(rounds.map(({ single }) => single.p50)) - direct.p50,
    addedP99: median(rounds.map(({ single }) => single.p99)) - direct.p99,
    residentMegabytes: residentMegabytes(pid),
    failures: rounds.reduce((sum, { busy, single }) => sum + busy.failures + single.failures, 0),
  };
}

await main();
