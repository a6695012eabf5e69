import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BLACK_VERSION, pythonEnvironment } from "../../packages/formatter/conformance/black.ts";

const RUFF_VERSION = "0.17.5";
/** The command that is measured. */
export const jetblackProgram = fileURLToPath(
  new URL("../../packages/formatter/bin/jetblack.cjs", import.meta.url),
);

/** A program and how it is run; the folder or file to check comes last. */
export interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  /** Its own copy of the folder, where it needs one. */
  readonly target?: string;
}

/**
 * Ours and Ruff; all check without writing, so that every run has the same work. With `-q`, Ruff renders the difference of
 * each file that it would change, which takes it several times as long as to format: only `-s` keeps it from that.
 */
export function quickContestants(): Contestant[] {
  const ruff = join(pythonEnvironment(`ruff-${RUFF_VERSION}`, [`ruff==${RUFF_VERSION}`]), "ruff");
  const ours = (...flags: string[]): string[] => [
    process.execPath,
    jetblackProgram,
    "--check",
    "-q",
    ...flags,
  ];
  return [
    { name: `Ruff ${RUFF_VERSION}`, command: [ruff, "format", "--check", "-s", "--no-cache"] },
    { name: "Jetblack --fast, 1 thread", command: ours("--fast", "--no-cache", "-W1") },
    { name: "Jetblack --fast, 2 threads", command: ours("--fast", "--no-cache", "-W2") },
    { name: "Jetblack, 1 thread", command: ours("--no-cache", "-W1") },
    { name: "Jetblack, 2 threads", command: ours("--no-cache", "-W2") },
  ];
}

/** Black with one and two processes; a tree takes it minutes. */
export function blackContestants(): Contestant[] {
  const black = join(pythonEnvironment(`black-${BLACK_VERSION}`, [`black==${BLACK_VERSION}`]), "black");
  const run = (...flags: string[]): string[] => [black, "--check", "-q", "--no-cache", ...flags];
  return [
    { name: `Black ${BLACK_VERSION} --fast, 1 process`, command: run("--fast", "-W1") },
    { name: `Black ${BLACK_VERSION} --fast, 2 processes`, command: run("--fast", "-W2") },
    { name: `Black ${BLACK_VERSION}, 1 process`, command: run("-W1") },
    { name: `Black ${BLACK_VERSION}, 2 processes`, command: run("-W2") },
  ];
}

/**
 * Ours and Ruff, each with a cache that is to know its own copy of the tree: one copy for both would be formatted by
 * one of them and changed since the last run for the other.
 */
export function cachedContestants(folder: string): Contestant[] {
  const [ruff, ours] = [quickContestants()[0]!, quickContestants()[3]!];
  const withCache = (name: string, command: readonly string[]): Contestant => ({
    name,
    command: [
      ...command.filter((flag) => flag !== "--no-cache" && flag !== "-W1"),
      "--cache-dir",
      join(folder, name, "cache"),
    ],
    target: join(folder, name, "tree"),
  });
  return [withCache(ruff.name, ruff.command), withCache("Jetblack", ours.command)];
}

/** What any program on Node.js takes at the least. */
export function emptyContestant(): Contestant {
  return { name: "Node.js with an empty script", command: [process.execPath, "-e", "0"] };
}

/** What any program on Node.js takes at the least that has to know whether the files that it is given have changed. */
export function lookingContestant(): Contestant {
  const script = "for (const path of process.argv.slice(1)) fs.lstatSync(path)";
  return { name: "Node.js with a script that looks at each file", command: [process.execPath, "-e", script] };
}
