import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { osErrorCode } from "./os-error.ts";

/**
 * Replaces a file's contents so that a crash leaves either the old or the new ones: a new file beside it takes its
 * name, with its mode and owner. A symbolic link stays and its target is replaced. A file with further hard links,
 * or in a folder that takes no new files, is written in place.
 *
 * @param readAt the file's change time when it was read, in ms since 1970: what somebody has written since stays.
 * @throws the system's error when the file may not be written.
 */
export function writeFile(path: string, bytes: Uint8Array, readAt: number): void {
  const target = realpathSync.native(path);
  accessSync(target, constants.W_OK);
  const before = statSync(target);
  if (before.mtimeMs !== readAt)
    throw new Error("it was changed while it was formatted, and stays as it is now. Format it again.");
  if (before.nlink > 1 || !replace(target, before, bytes)) writeFileSync(target, bytes);
}

/** Returns false when the folder or the owner forbids a replacement. */
function replace(target: string, before: Stats, bytes: Uint8Array): boolean {
  const temporary = join(
    dirname(target),
    `.jetblack-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`,
  );
  try {
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o600 });
    if (before.uid !== process.getuid?.() || before.gid !== process.getgid?.())
      chownSync(temporary, before.uid, before.gid);
    chmodSync(temporary, before.mode & 0o7777);
    renameSync(temporary, target);
    return true;
  } catch (error) {
    rmSync(temporary, { force: true });
    if (["EACCES", "EPERM", "EROFS", "EXDEV"].includes(osErrorCode(error) ?? "")) return false;
    throw error;
  }
}
