import { execFileSync } from "node:child_process";

/** What one run took, in seconds. */
export interface Timing {
  readonly wall: number;
  /** User and system time of the program and its threads and children. */
  readonly cpu: number;
}

/** In Python, as `wait4` tells a child's time in microseconds: a shell cuts it to milliseconds, of which Ruff takes four. */
const SCRIPT = `
import os, sys, time
null = os.open(os.devnull, os.O_RDWR)
start = time.perf_counter()
pid = os.posix_spawnp(
    sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, stream) for stream in (1, 2)]
)
_, _, usage = os.wait4(pid, 0)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime)
`;

/** Runs a command once and times it; its output is dropped and its exit code does not matter (1 means "would change"). */
export function measure(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Timing {
  const env = { ...process.env, ...environment };
  const said = execFileSync("python3", ["-S", "-c", SCRIPT, ...command], { env, encoding: "utf8" });
  const [wall = Number.NaN, cpu = Number.NaN] = said.trim().split(" ").map(Number);
  return { wall, cpu };
}
