import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupError } from "../../contract/setup-error.ts";
import { makeFolders } from "./data-directory.ts";

/**
 * Makes a folder that is written to later, so that one that cannot be is told of at the start.
 * @param setting whoever names the folder, for the error
 * @throws SetupError
 */
export function makeWritable(folder: string, setting: string): void {
  requireWritable(folder, setting);
  try {
    makeFolders(folder);
  } catch (error) {
    throw unwritable(folder, setting, error);
  }
}

/** Looks whether `makeWritable` could make a folder; makes nothing. @throws SetupError */
export function requireWritable(folder: string, setting: string): void {
  try {
    const nearest = nearestThere(resolve(folder));
    if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is a file`);
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(folder, setting, error);
  }
}

function unwritable(folder: string, setting: string, error: unknown): SetupError {
  return new SetupError(
    `${setting}: nothing can be written in ${resolve(folder)} (${(error as Error).message}); make it a folder that this user may write in, or name another`,
    { cause: error },
  );
}

/** The path itself, or the folder above it that is there. */
function nearestThere(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  } catch (error) {
    // One of the folders above is a file: it is met further up.
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
  }
  return dirname(path) === path ? path : nearestThere(dirname(path));
}
