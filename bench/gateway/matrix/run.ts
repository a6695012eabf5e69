import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PATHS } from "./cases.ts";
import { matrixPart } from "./matrix-page.ts";
import { type MatrixSubject, matrixStarters } from "./matrix-subjects.ts";
import { startMatrixUpstream } from "./matrix-upstream.ts";
import { type MatrixOptions, measureMatrix, USUAL_CONNECTIONS } from "./measure.ts";
import { eventsIn } from "./recorded-answers.ts";

const FULL: MatrixOptions = { seconds: 1, rounds: 2, connections: [1, USUAL_CONNECTIONS, 256] };
const QUICK: MatrixOptions = { seconds: 1, rounds: 1, connections: [USUAL_CONNECTIONS] };
/** What a quick run looks at. */
const OWN = ["bare", "sqlite", "postgres"] as const;

/**
 * Measures every kind of call at every subject.
 * @param isQuick one turn over 32 connections, without the peers
 * @param only the subjects, where not all are wanted
 * @returns the part of the page of benchmarks
 */
export async function runMatrix(
  folder: string,
  cache: string,
  isQuick: boolean,
  only: readonly string[] | undefined,
): Promise<string> {
  const options = isQuick ? QUICK : FULL;
  const names = Object.keys(matrixStarters) as (keyof typeof matrixStarters)[];
  const wanted = only ?? (isQuick ? OWN : names);
  const upstream = await startMatrixUpstream(folder);
  const subjects: MatrixSubject[] = [];
  try {
    for (const name of names.filter((each) => wanted.includes(each)))
      subjects.push(await matrixStarters[name](upstream, folder, cache));
    const results = await measureMatrix(folder, upstream, subjects, options, (text) =>
      process.stderr.write(text),
    );
    const events = Object.entries(PATHS).map(
      ([format, path]) =>
        `${format} ${eventsIn(readFileSync(join(upstream.answers, "burst", path), "utf8"))} events`,
    );
    return matrixPart(results, options, events.join(", "), new Date());
  } finally {
    for (const subject of subjects) await subject.stop();
    await upstream.stop();
  }
}
