import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataDirectory } from "../../platform/store/data-directory.ts";

/**
 * The master key kept in the data directory (file `master-key`, mode 0600); made at the first start. Two processes
 * that start at once end up with the same key.
 */
export function generatedMasterKey(dataDirectory: string): { readonly key: string; readonly isNew: boolean } {
  const file = join(dataDirectory, "master-key");
  const existing = readKey(file);
  if (existing !== undefined) return { key: existing, isNew: false };
  makeDataDirectory(dataDirectory);
  const key = `sk-${randomBytes(24).toString("base64url")}`;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${key}\n`, { mode: 0o600 });
  try {
    // A hard link either creates the complete file or fails because another process was first.
    linkSync(draft, file);
    return { key, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return { key: readFileSync(file, "utf8").trim(), isNew: false };
  } finally {
    unlinkSync(draft);
  }
}

function readKey(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
