/** The command line as one file (`executables/build.ts`): whatever it loads lies in that file. */
import { processConsole } from "./cli/console.ts";
import { run } from "./cli/run.ts";

const workerModule = new URL("./files/format-worker.js", import.meta.url);
process.exit(await run(process.argv.slice(2), processConsole(), workerModule));
