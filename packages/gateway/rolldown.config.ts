import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "rolldown";
import { SWAGGER_FILES } from "./src/features/openapi/docs-page.ts";

const { resolve } = createRequire(import.meta.url);

/** Puts the files of Swagger UI beside the bundle, as `docs-page.ts` reads them there. */
const docsPage: Plugin = {
  name: "docs-page",
  buildStart() {
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

/** Modules of Node.js that load others for some of their names, such as `http` for `WebSocket` and `fs` for `ReadStream`. */
const LAZY = ["crypto", "fs", "fs/promises", "http", "https", "util", "zlib"];
const LAZY_SOURCE = new RegExp(`^(?:node:)?(${LAZY.join("|")})$`);
/** Stands before the name of such a module in the bundle. */
const ALONE = "\0node:";

/**
 * These as the process has them. Imported, a module tells all that it exports at once, and for that Node.js loads what each of
 * its names needs: for `http` a copy of undici with everything in it, which takes longer than all others together.
 */
const lazyModules: Plugin = {
  name: "lazy-modules",
  resolveId(source) {
    const name = LAZY_SOURCE.exec(source)?.[1];
    return name === undefined ? undefined : ALONE + name;
  },
  load(id) {
    if (!id.startsWith(ALONE)) return undefined;
    return `module.exports = process.getBuiltinModule("node:${id.slice(ALONE.length)}");`;
  },
};

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

export default defineConfig({
  input: {
    main: "src/main.ts",
    index: "src/index.ts",
    "spend-writer": "src/core/ledger/journal/writer-thread.ts",
    "token-worker": "src/formats/tokens/token-worker.ts",
    "config-thread": "src/platform/config/config-thread.ts",
  },
  platform: "node",
  plugins: [docsPage, consoleFiles, lazyModules],
  resolve: { conditionNames: ["source", "node"], alias: esmBuilds },
  // What documents functions is a tenth of the bundle, and nobody reads it there.
  output: {
    dir: "dist",
    format: "esm",
    cleanDir: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  },
});
