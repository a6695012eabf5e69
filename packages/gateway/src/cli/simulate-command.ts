/** `portico simulate [flags]`: the provider simulator alone. Resolves with an exit code, or nothing while it runs. */
export async function simulateCommand(args: readonly string[]): Promise<number | undefined> {
  const { runSimulatorCommand } = await import("portico-simulator");
  return runSimulatorCommand(args);
}
