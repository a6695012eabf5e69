import { runCommand } from "./cli/run-command.ts";

const exitCode = await runCommand(
  process.argv.slice(2),
  async () => (await import("./app.ts")).createGateway,
);
// Whatever may still be open (watched files, pooled connections) must not keep an ended command alive.
if (exitCode !== undefined) process.exit(exitCode);
