import type { Problem } from "../problem.ts";
import { type ConfigPath, pathText } from "./config-document.ts";

/** Hears what is wrong with the values of a configuration. */
export interface ProblemReport {
  readonly warnings: readonly Problem[];
  error(path: ConfigPath, message: string): void;
  warn(path: ConfigPath, message: string): void;
  /** Calls will fail because of this. */
  warnOfFailure(path: ConfigPath, message: string): void;
  /** A key of `section` may stand under the synonym alone. */
  addSynonym(section: string, synonym: string): void;
}

/** What is wrong with values that stand in no file. */
export class ValueProblems implements ProblemReport {
  readonly errors: Problem[] = [];
  readonly warnings: Problem[] = [];

  error(path: ConfigPath, message: string): void {
    this.errors.push(problem(path, message));
  }

  warn(path: ConfigPath, message: string): void {
    this.warnings.push(problem(path, message));
  }

  warnOfFailure(path: ConfigPath, message: string): void {
    this.errors.push({ ...problem(path, message), breaksCalls: true });
  }

  /** A value has one place, whatever it is called there. */
  addSynonym(): void {}
}

function problem(path: ConfigPath, message: string): Problem {
  return { file: "", line: undefined, column: undefined, path: pathText(path), message };
}
