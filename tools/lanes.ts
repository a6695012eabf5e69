import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The lanes of the tests: which files each runs, as patterns from the workspace's root. */

/** Every test. */
const ALL_TESTS = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "tools/**/*.test.ts"];

/** Runs that last: processes are killed, memory is watched. Each has a full size, too; see CONTRIBUTING. */
const SOAK_TESTS = [
  "packages/gateway/test/batches-chaos.test.ts",
  "packages/gateway/test/batches-memory.test.ts",
  "packages/gateway/test/budget-crash-points.test.ts",
  "packages/gateway/test/budget-faults.test.ts",
  "packages/gateway/test/budget-levels.test.ts",
  "packages/gateway/test/videos-memory.test.ts",
];

/** Tests that say within a minute whether something is broken: those beside the sources, and some at the edge. */
const FAST_TESTS = [
  "packages/*/src/**/*.test.ts",
  // Bundling every package takes longer than all others of the tools together.
  "tools/**/!(third-party-notices).test.ts",
  "packages/formatter/test/{daemon,options}.test.ts",
  "packages/simulator/test/{faults-and-admin,official-clients}.test.ts",
  ...[
    "a2a-local",
    "agents",
    "alerts",
    "batches",
    "budget-holds",
    "call-path",
    "console",
    "containers",
    "embeddings",
    "files",
    "gemini",
    "governance",
    "keys",
    "limiter",
    "litellm-paths",
    "messages-rules",
    "metrics",
    "models",
    "openapi",
    "ownership",
    "passthrough",
    "response-cache",
    "response-sockets",
    "responses-rules",
    "roles",
    "runtime-models",
    "scim",
    "sign-in",
    "spend",
    "spend-reports",
    "tokens",
    "videos",
    "videos-xai",
  ].map((name) => `packages/gateway/test/${name}.test.ts`),
];

const workspace = resolve(import.meta.dirname, "..");

/** What changes a process for all that runs in it afterwards, and what a module that is loaded already would not see. */
const CHANGES_PROCESS = new RegExp(
  [
    /\bvi\.(?:mock|doMock|resetModules|stubEnv|stubGlobal|useFakeTimers)\(/,
    /\bprocess\.(?:chdir|umask)\(/,
    /\bprocess\.env(?:\.\w+|\[[^\]]+\]) = /,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/**
 * Those that put other modules, variables of the environment or clocks in place: each has a process of its own. All
 * others of a lane share theirs, and with it the modules, which takes a third of the time.
 */
const alone = globSync([...ALL_TESTS], { cwd: workspace }).filter((file) =>
  CHANGES_PROCESS.test(readFileSync(join(workspace, file), "utf8")),
);

/** A lane in two projects of Vitest: the files that share processes, and those that have one each. */
function lane(name: string, include: readonly string[], exclude: readonly string[] = []) {
  const files = new Set(globSync([...include], { cwd: workspace, exclude: [...exclude] }));
  return [
    { name, include: [...include], exclude: [...exclude, ...alone], isolate: false },
    { name: `${name}-alone`, include: alone.filter((file) => files.has(file)) },
  ];
}

/** The projects of every lane. */
export const LANES = [
  ...lane("fast", FAST_TESTS),
  ...lane("full", ALL_TESTS, [...FAST_TESTS, ...SOAK_TESTS]),
  { name: "soak", include: SOAK_TESTS },
];

const gateway = join(workspace, "packages/gateway/src");

/** The folders of the gateway each of which the fast lane must run a good part of. */
const COVERED = ["core", "formats", "features"].flatMap((room) =>
  readdirSync(join(gateway, room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `packages/gateway/src/${room}/${entry.name}`),
);

/** The least share of a folder's functions that the fast lane calls, in percent. */
const MIN_FUNCTIONS = 60;

/** With `--coverage` a run fails where it calls less than that of a folder: `npm run test:fast -- --coverage`. */
export function fastCoverage() {
  return {
    provider: "v8" as const,
    include: COVERED.map((folder) => `${folder}/**/*.ts`),
    exclude: ["**/*.test.ts"],
    reporter: ["json-summary" as const, "text-summary" as const],
    reportsDirectory: "coverage",
    thresholds: Object.fromEntries(COVERED.map((folder) => [`${folder}/**`, { functions: MIN_FUNCTIONS }])),
  };
}
