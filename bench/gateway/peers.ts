import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** Installs the Portkey gateway from npm unless it is there. @returns its server script */
export function installPortkey(cache: string): string {
  const folder = join(cache, "portkey");
  const script = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  if (!existsSync(script)) {
    mkdirSync(folder, { recursive: true });
    execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "@portkey-ai/gateway"], {
      stdio: "inherit",
    });
  }
  return script;
}

/** Whether an earlier run installed LiteLLM's proxy. */
export function hasLitellm(cache: string): boolean {
  return existsSync(litellmCommand(cache));
}

function litellmCommand(cache: string): string {
  return join(cache, "litellm", "bin/litellm");
}

/** Installs LiteLLM's proxy from PyPI into a virtual environment unless it is there. @returns its command */
export function installLitellm(cache: string): string {
  const folder = join(cache, "litellm");
  const command = litellmCommand(cache);
  if (!existsSync(command)) {
    mkdirSync(folder, { recursive: true });
    execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
    execFileSync(join(folder, "bin/pip"), ["install", "--quiet", "litellm[proxy]"], { stdio: "inherit" });
  }
  return command;
}
