import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { matrixStarters } from "./matrix/matrix-subjects.ts";
import { hasLitellm } from "./peers.ts";

/** What the benchmark was asked to do. */
export interface BenchOptions {
  /** Seconds of load per turn, and again for latency. */
  readonly seconds: number;
  /** Seconds of load before anything is measured; compilers need some. */
  readonly warmup: number;
  /** Turns of each subject; the report has the median. */
  readonly rounds: number;
  readonly connections: number;
  readonly subjects: readonly string[];
  /** Those that were named, for `peers`. */
  readonly only: readonly string[] | undefined;
  /** Where peers are installed; survives runs. */
  readonly cache: string;
  /** Tells apart where the microseconds of a call go, instead of measuring the subjects. */
  readonly profile: boolean;
  /** Sends requests of 300 KB and 1 MB, as agents do, instead of short ones. */
  readonly large: boolean;
  /** Measures every format, answer, size and number of connections at every subject instead. */
  readonly peers: boolean;
  /** With `peers`: one turn over 32 connections, without the peers themselves. */
  readonly quick: boolean;
  /** The markdown file that gets the result; absent prints it only. */
  readonly output: string | undefined;
}

export const subjectNames = ["nginx", "bare", "bare-parse", "portico", "portkey", "litellm"];
const usual = subjectNames.filter((name) => name !== "bare-parse");
/** LiteLLM takes minutes to install, and half a second for each of these calls: only where it is there already. */
const usualForLarge = (cache: string): string[] => [
  ...["nginx", "bare", "bare-parse", "portico"],
  ...(hasLitellm(cache) ? ["litellm"] : []),
];

const usage = `npm run bench:gateway -- [--seconds 5] [--warmup 8] [--rounds 3] [--connections 32]
  [--subjects ${subjectNames.join(",")}] [--cache DIR] [--large] [--output docs/gateway/benchmarks.md]
npm run bench:gateway -- --profile [--seconds 5] [--warmup 8] [--connections 32] [--output docs/gateway/speed.md]
npm run bench:gateway -- --peers [--quick] [--subjects nginx,bare,bare-parse,sqlite,postgres,portkey,litellm] [--output docs/gateway/benchmarks.md]`;

/** @throws Error with the usage for flags that do not fit */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "5" },
      warmup: { type: "string", default: "8" },
      rounds: { type: "string", default: "3" },
      connections: { type: "string", default: "32" },
      subjects: { type: "string" },
      cache: { type: "string", default: resolve(import.meta.dirname, "../.cache") },
      profile: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      peers: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      output: { type: "string" },
    },
  });
  const cache = resolve(values.cache);
  const only = values.subjects?.split(",");
  const subjects = only ?? (values.large ? usualForLarge(cache) : usual);
  const known = values.peers ? Object.keys(matrixStarters) : subjectNames;
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no subject ${unknown}.\n${usage}`);
  return {
    seconds: positive(values.seconds, "--seconds"),
    warmup: positive(values.warmup, "--warmup"),
    rounds: positive(values.rounds, "--rounds"),
    connections: positive(values.connections, "--connections"),
    subjects,
    cache,
    profile: values.profile,
    large: values.large,
    peers: values.peers,
    quick: values.quick,
    only,
    output: values.output,
  };
}

function positive(text: string, flag: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`${flag} takes a whole number.\n${usage}`);
  return number;
}
