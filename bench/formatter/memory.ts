import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { blackContestants, type Contestant, quickContestants } from "./contestants.ts";
import { type Corpus, pythonFiles, sizeOf } from "./corpora.ts";

/** So many files and bytes are Jetblack's limits of 300 MB meant for. */
const FILES = 10_000;
const BYTES = 5_000_000;

/** Prints the largest process among a command's, in bytes; macOS counts in bytes, Linux in KiB. */
const script = `
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024))`;

/**
 * The most memory that each program takes at once: on many files that are not formatted, and on one long one.
 *
 * @param sources to copy from, as often as it takes.
 * @param work a folder for the copies.
 * @param withBlack whether Black has its turn, which takes minutes.
 * @returns a table in Markdown.
 */
export function peakMemory(sources: readonly Corpus[], work: string, withBlack: boolean): string {
  const contestants = [...quickContestants(), ...(withBlack ? blackContestants() : [])];
  const many = join(work, "many");
  for (let round = 0, files = 0; files < FILES; round++)
    for (const { folder } of sources) {
      cpSync(folder, join(many, String(round), basename(folder)), { recursive: true });
      files += sizeOf(folder).files;
    }
  const long = join(work, "long.py");
  writeFileSync(long, longSource(sources.at(-1)!.folder));
  const rows = contestants.map((contestant) => {
    const cells = [many, long].map((target) => (peakOf(contestant, target) / 1e6).toFixed(0));
    return `| ${contestant.name} | ${cells.join(" | ")} |`;
  });
  const head = `| program | ${sizeOf(many).files} files, MB | one file of ${(BYTES / 1e6).toFixed(0)} MB, MB |`;
  return [head, "|---|---|---|", ...rows].join("\n");
}

/** Modules one behind the other. Those whose first statements may stand nowhere else are left out. */
function longSource(folder: string): string {
  const parts: string[] = [];
  let length = 0;
  const texts = pythonFiles(folder)
    .map((path) => readFileSync(join(folder, path), "utf8"))
    .filter((text) => !/__future__|coding[:=]|\r|\ufeff/.test(text));
  for (let at = 0; length < BYTES; at = (at + 1) % texts.length) {
    parts.push(`${texts[at]}\n`);
    length += parts.at(-1)!.length;
  }
  return parts.join("");
}

function peakOf({ command }: Contestant, target: string): number {
  const done = spawnSync("python3", ["-c", script, ...command, target], { encoding: "utf8" });
  return Number(done.stdout);
}
