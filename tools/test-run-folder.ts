import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Vitest runs this around all tests: `TEST_RUN_FOLDER` is a folder for what their files share, removed at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "test-run-"));
  process.env.TEST_RUN_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
