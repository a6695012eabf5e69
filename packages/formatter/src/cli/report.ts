import { appendFileSync } from "node:fs";
import type { Console } from "./console.ts";

/** Options of a run that change its messages. */
export interface ReportOptions {
  readonly check: boolean;
  readonly diff: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Prints what happens to each file and counts it (Black: `report.py`). */
export class Report {
  readonly #console: Console;
  readonly #options: ReportOptions;
  changed = 0;
  same = 0;
  failures = 0;

  constructor(console: Console, options: ReportOptions) {
    this.#console = console;
    this.#options = options;
  }

  /** A file that was handled without an error. */
  done(path: string, outcome: "changed" | "unchanged" | "cached"): void {
    const { check, diff, quiet, verbose } = this.#options;
    if (outcome === "changed") {
      if (verbose || !quiet)
        this.#console.message(`${check || diff ? "would reformat" : "reformatted"} ${path}`, "bold");
      this.changed++;
      return;
    }
    if (verbose)
      this.#console.message(
        outcome === "unchanged"
          ? `${path} already well formatted, good job.`
          : `${path} wasn't modified on disk since last run.`,
      );
    this.same++;
  }

  /** A file that could not be formatted; the message is complete. */
  failed(message: string): void {
    this.#console.message(message, "red");
    this.failures++;
  }

  ignored(path: string, reason: string): void {
    if (this.#options.verbose) this.#console.message(`${path} ignored: ${reason}`);
  }

  /** 123 after a failure, 1 when `--check` found something, else 0. */
  get exitCode(): 0 | 1 | 123 {
    if (this.failures > 0) return 123;
    return this.changed > 0 && this.#options.check ? 1 : 0;
  }

  /**
   * `1 file reformatted, 2 files left unchanged.`
   * @param skipped files that an interruption left out
   */
  summary(skipped = 0): string {
    const isDry = this.#options.check || this.#options.diff;
    const { style } = this.#console;
    const files = (count: number): string => `${count} file${count > 1 ? "s" : ""}`;
    const parts: string[] = [];
    if (this.changed > 0) {
      const verb = isDry ? "would be reformatted" : "reformatted";
      parts.push(style(`${files(this.changed)} `, "blue", "bold") + style(verb, "bold"));
    }
    if (this.same > 0)
      parts.push(
        style(`${files(this.same)} `, "blue") + (isDry ? "would be left unchanged" : "left unchanged"),
      );
    if (this.failures > 0)
      parts.push(
        style(`${files(this.failures)} ${isDry ? "would fail to reformat" : "failed to reformat"}`, "red"),
      );
    if (skipped > 0) parts.push(`${files(skipped)} not looked at`);
    return `${parts.join(", ")}.`;
  }

  /** Appends the counts to the file that GitHub Actions names; a failure to do so is no error. */
  writeGithubOutputs(path: string): void {
    const lines = [
      `is_formatted=${this.changed > 0}`,
      `change_count=${this.changed}`,
      `same_count=${this.same}`,
      `failure_count=${this.failures}`,
    ];
    try {
      appendFileSync(path, `${lines.join("\n")}\n`);
    } catch {
      return;
    }
  }
}
