import { processConsole } from "./cli/console.ts";
import { run } from "./cli/run.ts";

const isSource = import.meta.url.endsWith(".ts");
const workerModule = new URL(isSource ? "files/format-worker.ts" : "format-worker.cjs", import.meta.url);

void run(process.argv.slice(2), processConsole(), workerModule).then((exitCode) => process.exit(exitCode));
