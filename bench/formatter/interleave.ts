import type { Contestant } from "./contestants.ts";
import { measure, type Timing } from "./measure.ts";

/**
 * Runs the contestants in turns, so that whatever else the machine does hits everyone alike.
 *
 * @param target folder or file for those without one of their own.
 * @param before what to do ahead of each run, which is not timed.
 */
export function interleave(
  contestants: readonly Contestant[],
  target: string,
  count: number,
  before: (contestant: Contestant, run: number) => void = () => undefined,
): Map<string, Timing[]> {
  const timings = new Map<string, Timing[]>(contestants.map(({ name }) => [name, []]));
  for (let run = 0; run < count; run++)
    for (const contestant of contestants) {
      before(contestant, run);
      timings.get(contestant.name)!.push(measure([...contestant.command, contestant.target ?? target]));
    }
  return timings;
}
