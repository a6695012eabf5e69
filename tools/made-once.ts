import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * What the test files of a run share, made by whichever needs it first.
 * @param make fills an empty folder, which may be moved afterwards
 * @returns the filled folder, which nobody changes
 */
export async function madeOnce(name: string, make: (folder: string) => unknown): Promise<string> {
  const runFolder = process.env.TEST_RUN_FOLDER!;
  const place = join(runFolder, name);
  if (existsSync(place)) return place;
  // Two test files may make it at the same time; whoever is first puts it in place.
  const made = mkdtempSync(join(runFolder, "making-"));
  await make(made);
  try {
    renameSync(made, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    rmSync(made, { recursive: true });
  }
  return place;
}
