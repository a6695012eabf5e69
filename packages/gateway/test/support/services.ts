import { spawnSync } from "node:child_process";
import { findPostgres } from "./postgres.ts";

/**
 * Which servers this machine has. A newcomer's may have none; the tests that need one are skipped there and say so.
 * In CI everything is installed, and a server that is missing fails its tests instead.
 */
const isCi = process.env.CI !== undefined;

export const hasPostgres = isCi || findPostgres() !== undefined;

export const hasRedis = isCi || spawnSync("redis-server", ["--version"]).status === 0;
