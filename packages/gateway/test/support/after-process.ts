import { spawn } from "node:child_process";

/**
 * Has a command run once this process has ended, however it ended: a test run that is killed must leave no server
 * behind. It waits in a shell whose standard input is a pipe from here.
 * @returns takes that back
 */
export function afterProcess(program: string, ...words: readonly string[]): () => void {
  const guard = spawn("sh", ["-c", 'cat >/dev/null; exec "$@"', "sh", program, ...words], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  const input = guard.stdin as typeof guard.stdin & { unref?(): void };
  input.unref?.();
  return () => void guard.kill("SIGKILL");
}
