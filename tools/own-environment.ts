import { afterAll } from "vitest";

/**
 * Files that share a process find its environment as it was at the start: gateways that run in a test put the
 * `environment_variables` of their configuration into it, in which the next file's gateway would find keys of providers.
 */
const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
