import { isAbsolute, relative } from "node:path";
import type { FileResult } from "../../files/job.ts";
import { withSlashes } from "../../util/slashes.ts";
import { renderGithub } from "./github.ts";
import { renderGitlab } from "./gitlab.ts";
import { renderJunit } from "./junit.ts";
import { renderSarif } from "./sarif.ts";

/** What came of one input, under the path that messages show. */
export interface ReportedResult {
  readonly file: { readonly path: string };
  readonly result: FileResult | { readonly kind: "cached" };
}

/** A file that needs somebody's attention. */
export interface Finding {
  readonly path: string;
  readonly rule: "would-reformat" | "cannot-format";
  readonly text: string;
  /** 1-based; absent where nothing is known of the place. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** The forms of `--report` for programs. Adding one: a row here, and a choice and a sentence in `mode/options.ts`. */
const forms = {
  json: renderJson,
  github: (results: readonly ReportedResult[], isDry: boolean) => renderGithub(findingsOf(results, isDry)),
  gitlab: (results: readonly ReportedResult[], isDry: boolean) => renderGitlab(findingsOf(results, isDry)),
  junit: (results: readonly ReportedResult[], isDry: boolean) =>
    renderJunit(
      results.map(({ file }) => inRepository(file.path)),
      findingsOf(results, isDry),
    ),
  sarif: (results: readonly ReportedResult[], isDry: boolean) => renderSarif(findingsOf(results, isDry)),
};

/** Results for programs, in one of the forms that CI systems read. */
export function renderMachineReport(
  form: keyof typeof forms,
  results: readonly ReportedResult[],
  isDry: boolean,
  exitCode: number,
): string {
  return forms[form](results, isDry, exitCode);
}

function renderJson(results: readonly ReportedResult[], isDry: boolean, exitCode: number): string {
  const files = results.map(({ file, result }) => ({
    path: file.path,
    outcome: result.kind === "cached" ? "unchanged" : result.kind,
    ...(result.kind === "failed" ? { message: result.message, ...result.place } : {}),
    ...(result.kind === "changed" && result.diffText !== undefined ? { diff: result.diffText } : {}),
  }));
  return `${JSON.stringify({ files, written: !isDry, exitCode }, undefined, 2)}\n`;
}

/** A file that was written is none: it is as it should be. */
function findingsOf(results: readonly ReportedResult[], isDry: boolean): Finding[] {
  return results.flatMap(({ file, result }): Finding[] => {
    const path = inRepository(file.path);
    if (result.kind === "failed") {
      const { line, column } = result.place ?? {};
      return [{ path, rule: "cannot-format", text: reasonOf(result.message, file.path), line, column }];
    }
    if (result.kind !== "changed" || !isDry) return [];
    const text = "The file would be reformatted";
    return [{ path, rule: "would-reformat", text, line: result.line, column: undefined }];
  });
}

/**
 * A path as systems want it that know the repository and not the folder that it lies in: relative to the working
 * directory, from where such runs start, with slashes. What is elsewhere keeps its whole path.
 */
function inRepository(path: string): string {
  if (!isAbsolute(path)) return withSlashes(path).replace(/^\.\//, "");
  const below = withSlashes(relative(process.cwd(), path));
  const isBelow = below !== "" && below !== ".." && !below.startsWith("../") && !isAbsolute(below);
  return isBelow ? below : path;
}

/** The message without the word and the path that every form has already, which may be one of this machine alone. */
function reasonOf(message: string, path: string): string {
  const reason = message.replace(/^error: /, "");
  const start = `cannot format ${path}: `;
  if (!reason.startsWith(start)) return reason.replace(`${path}:`, "");
  const rest = reason.slice(start.length).replace(`File '${path}'`, "The file").replace(`: '${path}'`, "");
  return `cannot format: ${rest}`;
}
