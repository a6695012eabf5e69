import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BLACK_VERSION, cacheFolder, pythonWithBlack } from "./black.ts";
import { type BlackOptions, BlackProcess } from "./black-process.ts";
import type { Answer } from "./item.ts";

const BATCH = 20;

/**
 * What Black makes of each file; known answers are taken from the cache by SHA-256 of the bytes, kind, Python and mode.
 * Asks in batches, so that an interrupted run keeps what it has.
 */
export async function askBlack(
  paths: readonly string[],
  modeName: string,
  optionsFor: (path: string) => BlackOptions,
): Promise<Answer[]> {
  const answers = join(cacheFolder(), "answers", `${BLACK_VERSION}-safe-${modeName}`);
  mkdirSync(answers, { recursive: true });
  const files = paths.map((path) => join(answers, `${keyOf(path)}.json`));
  const missing = paths.map((_, index) => index).filter((index) => !existsSync(files[index]!));
  const black = new BlackProcess();
  try {
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const replies = await black.ask(
        batch.map((index) => {
          const path = paths[index]!;
          return { path, options: optionsFor(path), ranges: [], fast: false };
        }),
      );
      batch.forEach((index, position) => {
        writeFileSync(files[index]!, JSON.stringify(replies[position]));
      });
    }
  } finally {
    black.close();
  }
  return files.map((file): Answer => JSON.parse(readFileSync(file, "utf8")));
}

function keyOf(path: string): string {
  const kind = path.endsWith(".pyi") ? "pyi" : "py";
  return createHash("sha256").update(pythonWithBlack()).update(kind).update(readFileSync(path)).digest("hex");
}
