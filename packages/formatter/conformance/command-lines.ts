import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pythonWithBlack } from "./black.ts";

const HELP = `Runs random command lines over random trees of files with Black and with the built command, and compares exit codes,
standard output, messages in any order, and the files afterwards. Build first: npm run build -w jetblack.

  --count N   command lines (default 100)
  --seed N    which ones (default: others in every run; it is printed)
  --start N   number of the first (default 0)
`;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: String(randomInt(1 << 30)) },
    start: { type: "string", default: "0" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const script = fileURLToPath(new URL("oracle/command_lines.py", import.meta.url));
const command = fileURLToPath(new URL("../bin/jetblack.cjs", import.meta.url));

if (values.help) process.stdout.write(HELP);
else {
  const words = [values.seed, values.start, values.count, process.execPath, command];
  process.exitCode = spawnSync(pythonWithBlack(), [script, ...words], { stdio: "inherit" }).status ?? 1;
}
