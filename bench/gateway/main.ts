import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCharts } from "../charts/main.ts";
import { applyLoad, type LoadResult } from "./load.ts";
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
  const nginx = await startNginx(folder);
  const subjects: Subject[] = [];
  try {
    if (options.profile) {
      const page = await profilePage(folder, nginx.upstreamUrl, options);
      process.stdout.write(page);
      if (options.output !== undefined) writeFileSync(options.output, page);
      return;
    }
    const upstream = `${nginx.upstreamUrl}/v1/chat/completions`;
    const direct = await applyLoad(folder, upstream, {}, 1, options.seconds);
    for (const name of options.subjects)
      subjects.push(await startSubject(name, { folder: join(folder, name), cache: options.cache, nginx }));
    const page = benchmarkPage(await measureAll(subjects, folder, options, direct), options, new Date());
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
): Promise<Measurement[]> {
  const load = (subject: Subject, connections: number, seconds: number): Promise<LoadResult> =>
    applyLoad(folder, subject.url, subject.headers, connections, seconds);
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

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}

await main();
