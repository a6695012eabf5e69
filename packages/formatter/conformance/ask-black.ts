import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { BLACK_VERSION, cacheFolder, pythonWithBlack } from "./black.ts";
import { type BlackOptions, BlackProcess, FOR_FILES } from "./black-process.ts";
import type { Answer } from "./item.ts";
import { NO_ANSWER } from "./refusal.ts";

const BATCH = 5;

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
  const late = new Map<number, Answer>();
  const files = paths.map((path) => join(answers, `${keyOf(path)}.json`));
  const missing = paths.map((_, index) => index).filter((index) => !existsSync(files[index]!));
  const black = new BlackProcess(FOR_FILES);
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
        const reply = replies[position]!;
        // Perhaps the machine was crowded: such an answer is not kept.
        if ("refusal" in reply && reply.refusal === NO_ANSWER) late.set(index, reply);
        else writeFileSync(files[index]!, JSON.stringify(reply));
      });
    }
  } finally {
    black.close();
  }
  return files.map((file, index): Answer => late.get(index) ?? JSON.parse(readFileSync(file, "utf8")));
}

function keyOf(path: string): string {
  const kind = extname(path).slice(1);
  return createHash("sha256").update(pythonWithBlack()).update(kind).update(readFileSync(path)).digest("hex");
}
