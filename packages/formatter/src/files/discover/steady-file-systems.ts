import { statfsSync } from "node:fs";

/**
 * Linux file systems whose folders have a new change time whenever an entry comes, goes or is renamed, by their number
 * in `statfs` (linux/magic.h and the file systems' own headers). Others, above all those of other machines, may not
 * keep that promise.
 */
const steady = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

/** Whether the change times of folders below this one tell all about their entries. */
export function hasSteadyTimes(folder: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return steady.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
}
