import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type ChunkingContext, defineConfig, type Plugin } from "rolldown";
import { schemaOfMigrations } from "./src/platform/store/migrations/schema-of-migrations.ts";

const { resolve } = createRequire(import.meta.url);

const docsPageFile = join(import.meta.dirname, "src/features/openapi/docs-page.ts");

/** Puts the files of Swagger UI beside the bundle, as `docs-page.ts` reads them there; without that feature none. */
const docsPage: Plugin = {
  name: "docs-page",
  async buildStart() {
    if (!existsSync(docsPageFile)) return;
    const { SWAGGER_FILES } = (await import(docsPageFile)) as { SWAGGER_FILES: readonly string[] };
    for (const name of SWAGGER_FILES) {
      const original = resolve(`swagger-ui-dist/${name}`);
      this.emitFile({
        type: "asset",
        fileName: `docs-page/${name}.gz`,
        originalFileName: original,
        source: gzipSync(readFileSync(original), { level: 9 }),
      });
    }
  },
};

/** Puts what the console's own build has made beside the bundle, as `features/console/assets.ts` reads it there. */
const consoleFiles: Plugin = {
  name: "console",
  buildStart() {
    const built = join(dirname(resolve("portico-console/package.json")), "dist");
    for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const original = join(entry.parentPath, entry.name);
      this.emitFile({
        type: "asset",
        fileName: `console/${original.slice(built.length + 1)}.gz`,
        originalFileName: original,
        source: gzipSync(readFileSync(original), { level: 9 }),
      });
    }
  },
};

const readySchemaFile = join(import.meta.dirname, "src/platform/store/migrations/ready-schema.ts");

/** Gives the bundle what the migrations make of an empty SQLite database, which takes them a sixth of the CPU of a first start. */
const readySchema: Plugin = {
  name: "ready-schema",
  async load(id) {
    if (id !== readySchemaFile) return undefined;
    return `export const readySchema = ${JSON.stringify(await schemaOfMigrations())};`;
  },
};

/** Modules of Node.js that load others for some of their names, such as `http` for `WebSocket` and `fs` for `ReadStream`. */
const LAZY = ["crypto", "dns", "fs", "fs/promises", "http", "https", "net", "util", "zlib"];
const LAZY_SOURCE = new RegExp(`^(?:node:)?(${LAZY.join("|")})$`);
/** Stands before the name of such a module in the bundle. */
const ALONE = "\0node:";
/** Those of which our sources call functions alone, and none before the port is open. */
const CALLED_LATER = ["fs/promises", "zlib"];
/** Stands before the name of one of these. */
const LATER = "\0later:";
const sources = join(import.meta.dirname, "src");

/**
 * These as the process has them. Imported, a module tells all that it exports at once, and for that Node.js loads what each of
 * its names needs: for `http` a copy of undici with everything in it, which takes longer than all others together.
 */
const lazyModules: Plugin = {
  name: "lazy-modules",
  resolveId(source, importer) {
    const name = LAZY_SOURCE.exec(source)?.[1];
    if (name === undefined) return undefined;
    return (CALLED_LATER.includes(name) && importer?.startsWith(sources) ? LATER : ALONE) + name;
  },
  load(id) {
    if (id.startsWith(LATER)) return functionsOf(id.slice(LATER.length));
    if (!id.startsWith(ALONE)) return undefined;
    return `module.exports = process.getBuiltinModule("node:${id.slice(ALONE.length)}");`;
  },
};

/** A module whose functions load what they are of when the first is called. */
function functionsOf(name: string): string {
  const all = Object.entries(createRequire(import.meta.url)(`node:${name}`) as object);
  const functions = all.filter(([, value]) => typeof value === "function").map(([called]) => called);
  const load = `let loaded; const it = () => (loaded ??= process.getBuiltinModule("node:${name}"));`;
  return [
    load,
    ...functions.map((called) => `export const ${called} = (...args) => it().${called}(...args);`),
  ].join("\n");
}

/**
 * OpenTelemetry's packages name their CommonJS builds first, out of which nothing unused can be left: 600 KB of names.
 * What comes with them is bundled from the same folder.
 */
const openTelemetry = [
  "api-logs",
  "core",
  "otlp-transformer",
  "resources",
  "sdk-logs",
  "sdk-metrics",
  "sdk-trace",
];
const esmBuilds = Object.fromEntries(
  openTelemetry.map((name) => [
    `@opentelemetry/${name}`,
    resolve(`@opentelemetry/${name}`).replace("/build/src/", "/build/esm/"),
  ]),
);

/**
 * Modules with all that they import, by who loads them: the command line, to serve, each kind of thread, other commands. Chunks
 * are cut by these alone, so that a start loads some 30 files, each of which Node.js resolves, reads and links; cut by each
 * `import()` they would be 90.
 */
const LOADED_TOGETHER: readonly (readonly string[])[] = [
  ["main.ts"],
  ["cli/serve-command.ts"],
  ["app.ts"],
  ["core/ledger/journal/writer-thread.ts"],
  ["core/ledger/journal/sqlite-sink.ts"],
  ["platform/config/load/config-thread.ts"],
  ["formats/tokens/token-worker.ts"],
  ...["batch", "import", "keys", "login", "top", "verify"].map((name) => [`cli/${name}-command.ts`]),
];
const loaders = new Map<string, Set<number>>();

function findLoaders(id: string, loader: number, context: ChunkingContext): void {
  const known = loaders.get(id) ?? new Set();
  if (known.has(loader)) return;
  loaders.set(id, known.add(loader));
  for (const next of context.getModuleInfo(id)?.importedIds ?? []) findLoaders(next, loader, context);
}

/** The name of the chunk of a module, which it shares with all that the same ones load; nothing for what only an `import()` loads. */
function chunkOf(id: string, context: ChunkingContext): string | undefined {
  if (loaders.size === 0)
    for (const [loader, files] of LOADED_TOGETHER.entries())
      for (const file of files) findLoaders(join(import.meta.dirname, "src", file), loader, context);
  // Until an entry's top-level await is over its chunk cannot give anything to what it imports meanwhile.
  const own = context.getModuleInfo(id)?.isEntry ? undefined : loaders.get(id);
  if (own === undefined) return undefined;
  // What the command line loads is little and there in every process, and the gateway comes after what `serve` loads.
  const [commandLine, serve, gateway] = [0, 1, 2];
  if (own.has(commandLine) || id.startsWith(ALONE) || id.startsWith(LATER)) return "part-0";
  return `part-${[...own].filter((loader) => loader !== gateway || !own.has(serve)).join("-")}`;
}

export default defineConfig({
  input: {
    main: "src/main.ts",
    index: "src/index.ts",
    "spend-writer": "src/core/ledger/journal/writer-thread.ts",
    "token-worker": "src/formats/tokens/token-worker.ts",
    "config-thread": "src/platform/config/load/config-thread.ts",
    "price-list": "src/core/ledger/price-list.ts",
  },
  platform: "node",
  plugins: [docsPage, consoleFiles, lazyModules, readySchema],
  resolve: { conditionNames: ["source", "node"], alias: esmBuilds },
  // What documents functions is a tenth of the bundle, and nobody reads it there.
  output: {
    dir: "dist",
    format: "esm",
    cleanDir: true,
    // What a module imports is loaded by all that load it, so that no two chunks import each other.
    codeSplitting: {
      groups: [{ name: chunkOf, debugName: "loaded together" }],
      includeDependenciesRecursively: false,
    },
    comments: { legal: true, annotation: true, jsdoc: false },
  },
});
