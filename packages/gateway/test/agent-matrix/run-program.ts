import { spawn } from "node:child_process";

/** How a program is run. */
export interface RunOptions {
  readonly cwd?: string;
  /** All that it sees of the environment; everything where absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds until it is killed, with all that it started. */
  readonly timeout: number;
}

/** Runs a program without a terminal and gives all that it printed. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, timeout }: RunOptions,
): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  // A group of its own: agents start servers and shells that outlive a kill of theirs alone.
  const timer = setTimeout(() => {
    output += `\n(stopped after ${timeout / 1000} s)`;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, timeout);
  const code = await new Promise<number>((done, failed) => {
    child.on("error", failed);
    child.on("close", (status) => done(status ?? 1));
  }).finally(() => clearTimeout(timer));
  return { code, output };
}
