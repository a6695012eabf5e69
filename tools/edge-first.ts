import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The order of the files: first those that start gateways and wait for them, so that none of them is what the rest of
 * the run waits for at its end; then those that have a process of their own. Within each Vitest's order.
 */
export default class EdgeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  if (/packages\/[^/]+\/test\//.test(moduleId)) return 0;
  return project.config.isolate ? 1 : 2;
}
