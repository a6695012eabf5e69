import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** With the folders above. Node's own way never ends where a folder exists and takes no others, as `/proc` does. */
export function makeFolder(path: string, mode = 0o777): void {
  const parent = dirname(path);
  if (existsSync(path)) return;
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another run may have been first.
    if (!existsSync(path)) throw error;
  }
}
