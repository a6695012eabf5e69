import { type Stats, statSync } from "node:fs";

const options = { throwIfNoEntry: false } as const;

/** What is at the path, links followed; `undefined` for what is missing, leads in a circle or may not be looked at. */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, options);
  } catch {
    return undefined;
  }
}
