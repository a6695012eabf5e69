import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes texts to a new file among the system's temporary ones and returns its path (Black: `dump_to_file`). */
export function dumpToFile(...texts: readonly string[]): string {
  // Few runs need it.
  const { tmpdir } = process.getBuiltinModule("node:os");
  const path = join(mkdtempSync(join(tmpdir(), "jetblack-")), "report.log");
  writeFileSync(
    path,
    texts.map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join(""),
  );
  return path;
}
