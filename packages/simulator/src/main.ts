import { runSimulatorCommand } from "./command.ts";

const code = await runSimulatorCommand(process.argv.slice(2));
if (code !== undefined) process.exitCode = code;
