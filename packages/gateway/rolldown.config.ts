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

/** Stands for Node's `http` in the bundle. */
const HTTP = "\0http";

/**
 * Node's `http` as the process has it. Imported, it tells all that it exports at once, and for `WebSocket` among these
 * Node.js loads a copy of undici with everything in it, which takes longer than all others of its modules together.
 */
const httpAlone: Plugin = {
  name: "http-alone",
  resolveId: (source) => (/^(?:node:)?http$/.test(source) ? HTTP : undefined),
  load: (id) => (id === HTTP ? 'module.exports = process.getBuiltinModule("node:http");' : undefined),
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
  plugins: [docsPage, consoleFiles, httpAlone],
  resolve: { conditionNames: ["source", "node"], alias: esmBuilds },
  // What documents functions is a tenth of the bundle, and nobody reads it there.
  output: {
    dir: "dist",
    format: "esm",
    cleanDir: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  },
});
