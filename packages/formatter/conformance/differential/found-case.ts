import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../item.ts";
import type { Case } from "./case.ts";

/** A case with the answer that Black gave: the form in which `test/found` keeps it. */
export interface FoundCase {
  readonly case: Case;
  readonly black: Answer;
}

/** Writes a case to a file of its own, named after its contents, and returns the path. */
export function writeFound(folder: string, found: FoundCase): string {
  const text = `${JSON.stringify(found, null, 2)}\n`;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${createHash("sha256").update(text).digest("hex").slice(0, 10)}.json`);
  writeFileSync(path, text);
  return path;
}
