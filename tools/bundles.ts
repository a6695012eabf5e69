import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type RolldownOptions, type RolldownOutput, rolldown } from "rolldown";
import { madeOnce } from "./made-once.ts";

const packages = resolve(import.meta.dirname, "../packages");

/** The variable that names where programs keep V8's compiled code: for those of tests a folder that goes with the run. */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env.TEST_RUN_FOLDER;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(folder, "compile-cache") };
}

/** Makes the bundles of a package from its sources, as its `rolldown.config.ts` says, and hands each to `use`. */
export async function makeBundles<T>(
  name: string,
  use: (bundle: {
    generate(): Promise<RolldownOutput>;
    write(folder: string): Promise<RolldownOutput>;
  }) => Promise<T>,
): Promise<T[]> {
  const cwd = join(packages, name);
  const file = pathToFileURL(join(cwd, "rolldown.config.ts")).href;
  const { default: config } = (await import(file)) as { default: RolldownOptions | RolldownOptions[] };
  const results: T[] = [];
  for (const options of [config].flat()) {
    const build = await rolldown({ ...options, cwd, logLevel: "silent" });
    const output = [options.output ?? {}].flat()[0]!;
    results.push(
      await use({
        generate: () => build.generate(output),
        write: (folder) => build.write({ ...output, dir: join(folder, output.dir ?? "dist") }),
      }),
    );
    await build.close();
  }
  return results;
}

/**
 * A package as users install it, bundled from its sources once in a run of the tests. Programs start sooner from it than
 * from the sources, and it is what users run.
 * @returns the folder that has `bin/` and `dist/` in it
 */
export async function bundledForTests(name: string): Promise<string> {
  return madeOnce(name, async (folder) => {
    cpSync(join(packages, name, "bin"), join(folder, "bin"), { recursive: true });
    cpSync(join(packages, name, "package.json"), join(folder, "package.json"));
    await makeBundles(name, ({ write }) => write(folder));
  });
}
