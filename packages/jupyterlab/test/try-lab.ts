import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoBlackError, pythonEnvironment } from "../../formatter/conformance/black.ts";
import { buildWheel } from "../../formatter/conformance/build-wheel.ts";
import { drive } from "./drive.ts";

/**
 * `npm run try-lab -w jetblack-jupyterlab [-- FOLDER]`: installs JupyterLab and JupyterLite from PyPI and the wheel, and
 * drives them in Chromium as people do: cells, notebooks and files by command, menu and button, undo, saving. Screenshots
 * go to FOLDER. Exits with 69 where PyPI cannot be reached.
 */
const PACKAGES = ["jupyterlab==4.6.6", "jupyterlite-core==0.8.6"];
const base = mkdtempSync(join(tmpdir(), "jetblack-lab-"));

try {
  const bin = pythonEnvironment("jupyterlab-4.6.6-lite-0.8.6", PACKAGES);
  const { wheel } = buildWheel(join(base, "dist"));
  const flags = ["--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"];
  execFileSync(join(bin, "python"), ["-m", "pip", "install", ...flags, wheel], { stdio: "pipe" });
  await drive(bin, base);
} catch (error) {
  if (!(error instanceof NoBlackError)) throw error;
  process.stderr.write(`try-lab: ${error.message}\n`);
  process.exitCode = 69;
} finally {
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}
