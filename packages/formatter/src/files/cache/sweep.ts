import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { statPath } from "../../mode/config/stat-path.ts";

const DAY = 24 * 60 * 60 * 1000;
/** How long a file is kept that is neither read nor written. */
const KEPT = 30 * DAY;

/** The file whose time says when the folder was swept last. */
const MARKER = "swept";
/** The cache's files, and what an interrupted run left of one. */
const OWN_FILES = /^(?:code|files|folders|runs|settings)-[0-9a-f]{8}(?:\.|$)/;
const VERSION = /^\d+\.\d+\.\d+/;

/**
 * Removes what no run has read or written for a month: files of options, projects and versions of this program that are
 * no longer in use. Looks once a day; a failure is no error, and so is what another run does meanwhile.
 *
 * @param folder this version's; those of other versions lie beside it.
 * @param now in ms since 1970
 */
export function sweepNowAndThen(folder: string, now = Date.now()): void {
  const marker = join(folder, MARKER);
  if (now - (statPath(marker)?.mtimeMs ?? 0) < DAY) return;
  try {
    writeFileSync(marker, "");
    sweep(folder, now);
    const versions = dirname(folder);
    for (const name of readdirSync(versions)) {
      const other = join(versions, name);
      if (!VERSION.test(name) || other === folder) continue;
      const removed = sweep(other, now);
      if (removed > 0 && readdirSync(other).every((left) => left === MARKER))
        rmSync(other, { recursive: true });
    }
  } catch {
    return;
  }
}

/** Returns how many files it has removed. */
function sweep(folder: string, now: number): number {
  let removed = 0;
  for (const name of readdirSync(folder)) {
    if (!OWN_FILES.test(name)) continue;
    const path = join(folder, name);
    // Some file systems keep no time of reading.
    const { atimeMs, mtimeMs } = statSync(path);
    if (now - Math.max(atimeMs, mtimeMs) <= KEPT) continue;
    rmSync(path, { force: true });
    removed++;
  }
  return removed;
}
