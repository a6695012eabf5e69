import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./black.ts";

/** Packages of npm cannot be had on this machine. */
export class NoToolsError extends Error {
  override readonly name = "NoToolsError";
}

/**
 * A folder that holds the given packages of npm, outside of the checkout: what is heavy and needed by one command only is
 * installed on that command's first run. Returns the folder's `node_modules`.
 *
 * @param packages names with versions, such as `bun@1.4.5`
 * @param flags further ones of `npm install`
 * @throws {NoToolsError} when they cannot be installed
 */
export function npmTools(name: string, packages: readonly string[], flags: readonly string[] = []): string {
  const folder = join(cacheFolder(), "npm", name);
  const modules = join(folder, "node_modules");
  if (existsSync(join(folder, "complete"))) return modules;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  try {
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...flags, ...packages], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 600_000,
    });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new NoToolsError(
      `${packages.join(" ")} cannot be installed: ${stderr?.toString().trim() || message}`,
    );
  }
  writeFileSync(join(folder, "complete"), "");
  return modules;
}
