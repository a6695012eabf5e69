/** Code of the command line that is there for speed alone (`docs/formatter/speed-paths.md`). */
export const speedPaths = [
  "cache-additions",
  "code-cache",
  "compiler-delay",
  "folder-memory",
  "turbofan-delay",
  "verbatim",
] as const;

export type SpeedPath = (typeof speedPaths)[number];

/** Whether `JETBLACK_WITHOUT`, a list with commas, switches it off: the program does the same without it, slower. */
export function isOff(path: SpeedPath): boolean {
  return process.env.JETBLACK_WITHOUT?.split(",").includes(path) ?? false;
}
