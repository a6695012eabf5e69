import { parseArgs } from "node:util";
import { NoToolsError } from "../conformance/npm-tools.ts";
import { makeExecutables } from "./make.ts";
import { ownTarget, targets } from "./targets.ts";

/**
 * `npm run executables -w jetblack [-- --all]`: the command line as a single file for this machine, or for every system,
 * with their SHA-256 sums, in `dist/executables`. Exits with 69 where npm's registry cannot be reached.
 */
const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });

try {
  for (const { name, bytes, sha256 } of makeExecutables(values.all ? targets : [ownTarget()]))
    process.stdout.write(`${name}  ${(bytes / 1e6).toFixed(1)} MB  ${sha256}\n`);
} catch (error) {
  if (!(error instanceof NoToolsError)) throw error;
  process.stderr.write(`executables: ${error.message}\n`);
  process.exitCode = 69;
}
