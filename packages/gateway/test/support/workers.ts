/** Lines of a gateway's log. */
export function logLines(log: string): Record<string, unknown>[] {
  return log
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Process ids of a gateway's workers by their places, as its log has told them last. */
export function workerPids(log: string): Map<number, number> {
  const told = logLines(log).filter(({ msg }) => msg === "a worker serves");
  return new Map(told.map(({ worker, pid }) => [Number(worker), Number(pid)]));
}
