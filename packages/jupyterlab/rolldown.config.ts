import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "rolldown";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

/**
 * Makes of the bundle what JupyterLab calls a prebuilt extension: beside the program a manifest that names it, the schema
 * of the settings, and who has installed it.
 */
const prebuilt: Plugin = {
  name: "prebuilt",
  generateBundle(_options, bundle) {
    const load = Object.keys(bundle).find((name) => name.endsWith(".js"))!;
    const { name, version, description, license, keywords } = JSON.parse(read("package.json")) as Manifest;
    const jupyterlab = { extension: true, schemaDir: "schema", _build: { load, extension: "./extension" } };
    const installed = {
      packageManager: "python",
      packageName: "jetblack",
      uninstallInstructions:
        "Use your Python package manager (pip, uv, conda) to uninstall the package jetblack",
    };
    const emit = (fileName: string, source: string): void => {
      this.emitFile({ type: "asset", fileName, source });
    };
    emit(
      "package.json",
      `${JSON.stringify({ name, version, description, license, keywords, jupyterlab }, undefined, 2)}\n`,
    );
    emit("install.json", `${JSON.stringify(installed, undefined, 2)}\n`);
    emit(`schemas/${name}/plugin.json`, read("schema/plugin.json"));
  },
};

/** One file, which JupyterLab loads as a script of its page; its name changes with what is in it, for caches. */
export default defineConfig({
  input: { remoteEntry: "src/index.ts" },
  platform: "browser",
  // The library as pages get it: from its sources it would read files.
  resolve: { conditionNames: ["import", "module"] },
  plugins: [prebuilt],
  output: {
    dir: "dist/labextension",
    entryFileNames: "static/[name].[hash].js",
    format: "iife",
    minify: true,
    codeSplitting: false,
    cleanDir: true,
  },
});
