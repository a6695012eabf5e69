import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Puts a disk of so many bytes, which only root may mount, in a folder's place until it is unmounted. */
export function mountSmallDisk(folder: string, bytes: number): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "ignore" });
}

/** Whether tests may mount disks here. */
export const mayMount = tryMount();

function tryMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), "portico-mount-"));
  try {
    mountSmallDisk(probe, 2 ** 20);
    execFileSync("umount", [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
