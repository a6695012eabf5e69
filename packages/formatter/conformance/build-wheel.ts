import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonEnvironment } from "./black.ts";
import { say } from "./expect-same.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const MAX_WHEEL_BYTES = 1_000_000;

/**
 * Builds the Python package by pip's own front end for builders.
 *
 * @param folder where both archives are put
 * @returns the paths of the wheel and of the source distribution
 * @throws {NoBlackError} where PyPI cannot be reached
 */
export function buildWheel(folder: string): { wheel: string; source: string } {
  const workspaces = ["-w", "jetblack", "-w", "jetblack-jupyterlab"];
  execFileSync("npm", ["run", "--silent", "build", ...workspaces], { cwd: root, stdio: "pipe" });
  const python = join(pythonEnvironment("build-1.6", ["build>=1.6,<2"]), "python");
  execFileSync(python, ["-m", "build", "--outdir", folder, root], { stdio: "pipe" });
  const [source, wheel] = [".tar.gz", ".whl"].map((end) => {
    const name = readdirSync(folder).find((name) => name.endsWith(end))!;
    const { size } = statSync(join(folder, name));
    say(`${name}: ${Math.ceil(size / 1024)} KiB`);
    if (size > MAX_WHEEL_BYTES) throw new Error(`that is more than ${MAX_WHEEL_BYTES / 1e6} MB`);
    return join(folder, name);
  });
  return { wheel: wheel!, source: source! };
}
