import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const workspace = resolve(root, "../..");

/** Builds the extension and puts what its users get into the folder: a manifest without what only the checkout needs. */
export function stageExtension(folder: string): void {
  for (const name of ["jetblack", "jetblack-vscode"])
    execFileSync("npm", ["run", "--silent", "build", "-w", name], { cwd: workspace, stdio: "pipe" });
  mkdirSync(folder, { recursive: true });
  const {
    private: _,
    type: __,
    scripts: ___,
    devDependencies: ____,
    ...manifest
  } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  cpSync(join(root, "dist/extension.js"), join(folder, "dist/extension.js"));
  cpSync(join(root, "README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE.txt"));
  cpSync(join(workspace, "THIRD-PARTY-NOTICES.md"), join(folder, "THIRD-PARTY-NOTICES.md"));
}
