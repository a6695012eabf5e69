import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A folder with a `node` and a `nodejs` that say they are of that version, and run what they are given as that one would. */
export function putOldNode(folder: string, version: string): void {
  mkdirSync(folder);
  const pretend = join(folder, "pretend.cjs");
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo v${version}; exit; }\nexec '${process.execPath}' --require '${pretend}' "$@"\n`;
  for (const name of ["node", "nodejs"]) writeFileSync(join(folder, name), script, { mode: 0o755 });
  writeFileSync(
    pretend,
    `Object.defineProperty(process, "version", { value: "v${version}" });
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
`,
  );
}
