import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { NoToolsError, npmTools } from "../../formatter/conformance/npm-tools.ts";
import { stageExtension } from "./stage.ts";

/**
 * `npm run package -w jetblack-vscode`: the extension as a file that editors install, `dist/jetblack.vsix`. Exits with 69
 * where `@vscode/vsce` cannot be had.
 */
const file = resolve(import.meta.dirname, "../dist/jetblack.vsix");
const folder = mkdtempSync(join(tmpdir(), "jetblack-vscode-"));
try {
  const modules = npmTools("vsce-4.1.0", ["@vscode/vsce@4.1.0"], ["--ignore-scripts"]);
  stageExtension(folder);
  mkdirSync(join(file, ".."), { recursive: true });
  const flags = ["--no-dependencies", "--allow-missing-repository", "--no-git-tag-version", "--out", file];
  execFileSync(process.execPath, [join(modules, "@vscode/vsce/vsce"), "package", ...flags], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(`${file}: ${Math.ceil(statSync(file).size / 1024)} KiB\n`);
} catch (error) {
  if (!(error instanceof NoToolsError)) throw error;
  process.stderr.write(`package: ${error.message}\n`);
  process.exitCode = 69;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
