import { processConsole } from "./cli/console.ts";
import { run } from "./cli/run.ts";

const isSource = import.meta.url.endsWith(".ts");
const workerModule = new URL(isSource ? "files/format-worker.ts" : "format-worker.js", import.meta.url);

process.exitCode = await run(process.argv.slice(2), processConsole(), workerModule);
