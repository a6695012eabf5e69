import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ProcessOptions } from "./processes.ts";

const checkout = resolve(import.meta.dirname, "../..");

/**
 * How the built gateway is started with its configuration, state and log in a folder of its own.
 * @param root another checkout than this one
 * @throws Error when it was not built
 */
export function builtPortico(
  folder: string,
  config: string,
  port: number,
  logFile: string,
  root = checkout,
): ProcessOptions {
  const gateway = join(root, "packages/gateway");
  if (!existsSync(join(gateway, "dist/main.js"))) throw new Error("Build the gateway first: npm run build");
  const configFile = join(folder, "config.yaml");
  writeFileSync(configFile, config);
  const flags = ["--config", configFile, "--port", String(port), "--host", "127.0.0.1"];
  return {
    command: process.execPath,
    args: [
      ...(process.env.BENCH_NODE_FLAGS?.split(" ") ?? []),
      join(gateway, "bin/portico.js"),
      ...flags,
      "--data-dir",
      join(folder, "data"),
    ],
    logFile,
    environment: { NODE_ENV: "production" },
    cwd: folder,
  };
}
