import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterProcess } from "../packages/gateway/test/support/after-process.ts";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";
/** Bytes that must be free there: far more than all tests that run at the same time leave in temporary folders. */
const MIN_FREE = 4e9;

/**
 * Vitest runs this around all tests: `TEST_RUN_FOLDER` is a folder for what their files share, removed at the end. Where
 * memory suffices, it and all temporary folders of tests are kept there: none of their databases need survive a power
 * cut, and waiting for the disk is a third of the time of the fast lane.
 */
export default function setup(): () => void {
  const inMemory = hasMemory();
  const folder = mkdtempSync(join(inMemory ? MEMORY : tmpdir(), "test-run-"));
  // PostgreSQL runs as a user of its own, below this folder.
  chmodSync(folder, 0o711);
  if (inMemory) process.env.TMPDIR = folder;
  process.env.TEST_RUN_FOLDER = folder;
  // Each gateway of a test starts a thread from the sources, and each isolated file loads its packages anew.
  process.env.NODE_COMPILE_CACHE ??= join(folder, "compile-cache");
  const end = ["sh", "-c", END, "sh", folder] as const;
  // A worker that ends last writes compiled code into the folder once more, after it was removed.
  afterProcess(...end);
  return () => void execFileSync(end[0], end.slice(1));
}

/**
 * Ends the PostgreSQL server that files share, as a crash does, and removes the folder, again where a worker that ends
 * has written into it meanwhile.
 */
const END = `
server="$1/shared-postgres/data/postmaster.pid"
if read -r pid 2>/dev/null <"$server" && kill -QUIT "$pid" 2>/dev/null; then
  turns=0
  while [ -e "$server" ] && [ $turns -lt 500 ]; do sleep 0.02; turns=$((turns + 1)); done
fi
turns=0
until rm -rf "$1" 2>/dev/null || [ $turns -ge 500 ]; do sleep 0.02; turns=$((turns + 1)); done`;

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_FREE;
}
