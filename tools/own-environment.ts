import { afterAll } from "vitest";
import { leftBehind, surroundings } from "./left-behind.ts";

/**
 * Files that share a process find its environment as it was at the start: gateways that run in a test put the
 * `environment_variables` of their configuration into it, in which the next file's gateway would find keys of providers.
 * All else that a file leaves behind fails it, since the one that stumbles over it would be another.
 */
const environment = { ...process.env };
const before = surroundings();
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  const left = await leftBehind(before);
  if (left.length > 0) throw new Error(`This file leaves in its process: ${left.join("; ")}`);
});
