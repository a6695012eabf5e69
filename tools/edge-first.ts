import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The order of the files: first those that start gateways and wait for them, so that none of them is what the rest of
 * the run waits for at its end, those with the most to try before the others; then those that have a process of their
 * own. Within each Vitest's order, which is by how long each took last where that is known.
 */
export default class EdgeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isKnown = files.some((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined);
    const weights = new Map(isKnown ? [] : files.filter(isEdge).map((file) => [file, weight(file.moduleId)]));
    const weightOf = (file: TestSpecification): number => weights.get(file) ?? 0;
    return sorted.sort((one, other) => rank(one) - rank(other) || weightOf(other) - weightOf(one));
  }
}

function rank(file: TestSpecification): number {
  if (isEdge(file)) return 0;
  return file.project.config.isolate ? 1 : 2;
}

function isEdge({ moduleId }: TestSpecification): boolean {
  return /packages\/[^/]+\/test\//.test(moduleId);
}

/**
 * Characters of a test and of what it imports from its own folder, which are the tables that it walks: how long each file
 * takes is not known on a fresh machine, and this tells it better than the file's size. What all share tells nothing.
 */
function weight(file: string, seen = new Set<string>()): number {
  if (seen.has(file) || !/\/test\/(?!support\/)/.test(file) || !existsSync(file)) return 0;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/ from "(\.[^"]+\.ts)"/g)];
  return imported.reduce((sum, [, path]) => sum + weight(resolve(dirname(file), path!), seen), text.length);
}
