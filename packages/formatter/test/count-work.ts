import { type Profiler, Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";

/** Optimized code does not count all that it runs, nor does code that V8 has not begun to watch. */
const COUNT_ALL = ["--no-opt", "--no-maglev", "--no-sparkplug", "--no-lazy-feedback-allocation"];

/**
 * How often the blocks of this package's source are entered while something runs: a measure of work that neither the
 * machine nor what else runs on it changes. Loops count once for each time round; what is built into the engine does not.
 *
 * What it measures should not have run hot before in the same process.
 */
export function countWork(action: () => void): number {
  for (const flag of COUNT_ALL) setFlagsFromString(flag);
  const session = new Session();
  session.connect();
  try {
    ask(session, "Profiler.enable");
    ask(session, "Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    action();
    const { result } = ask(session, "Profiler.takePreciseCoverage") as Profiler.TakePreciseCoverageReturnType;
    return result
      .filter(({ url }) => url.includes("/packages/formatter/src/"))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    session.disconnect();
    for (const flag of COUNT_ALL) setFlagsFromString(flag.replace("--no-", "--"));
  }
}

/** Sessions in the same thread answer before `post` returns. */
function ask(session: Session, method: string, parameters: object = {}): object {
  let answer: object | undefined;
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw error;
    answer = result;
  });
  return answer!;
}
