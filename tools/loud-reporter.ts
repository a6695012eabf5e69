import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Lists at the end of a run the tests that did not run, so that a green run hides none. Their titles say why. */
export default class LoudReporter implements Reporter {
  /** Whether the run was asked for some tests by their names; then it leaves out the others on purpose. */
  #isPicked = false;

  onInit({ config }: Vitest): void {
    this.#isPicked = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.result().state === "skipped");
    if (this.#isPicked || skipped.length === 0) return;
    const lines = skipped.map((test) => `  ${test.module.relativeModuleId}: ${test.fullName}`);
    process.stderr.write(`\n!!! DID NOT RUN (${skipped.length}):\n${lines.join("\n")}\n`);
  }
}
