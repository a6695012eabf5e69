import { sep } from "node:path";

/**
 * A path with slashes between its names, as expressions, reports and the comparisons of paths with each other have them.
 * Windows takes them as it takes its own; elsewhere a backslash is part of a name.
 */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
