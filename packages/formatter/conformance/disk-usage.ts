import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes of all files below a folder, whole blocks included; several names of one file count once. */
export function diskUsage(root: string): number {
  const seen = new Map<number, number>();
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const { ino, blocks } = lstatSync(join(root, path));
    seen.set(ino, blocks * 512);
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}
