import type { FileResult } from "../files/job.ts";

/** What came of one input, under the path that messages show. */
export interface ReportedResult {
  readonly file: { readonly path: string };
  readonly result: FileResult | { readonly kind: "cached" };
}

/** Results for programs: `json` is one document on standard output, `github` one workflow command for each finding. */
export function renderMachineReport(
  form: "json" | "github",
  results: readonly ReportedResult[],
  isDry: boolean,
  exitCode: number,
): string {
  return form === "json" ? renderJson(results, isDry, exitCode) : renderGithub(results, isDry);
}

function renderJson(results: readonly ReportedResult[], isDry: boolean, exitCode: number): string {
  const files = results.map(({ file, result }) => ({
    path: file.path,
    outcome: result.kind === "cached" ? "unchanged" : result.kind,
    ...(result.kind === "failed" ? { message: result.message, ...result.place } : {}),
  }));
  return `${JSON.stringify({ files, written: !isDry, exitCode }, undefined, 2)}\n`;
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function renderGithub(results: readonly ReportedResult[], isDry: boolean): string {
  const lines: string[] = [];
  for (const { file, result } of results) {
    const path = escapeProperty(file.path);
    if (result.kind === "failed") {
      const place = result.place === undefined ? "" : `,line=${result.place.line},col=${result.place.column}`;
      lines.push(
        `::error file=${path}${place},title=jetblack::${escapeData(reasonOf(result.message, file.path))}\n`,
      );
    } else if (result.kind === "changed" && isDry) {
      const line = result.line === undefined ? "" : `,line=${result.line}`;
      lines.push(`::warning file=${path}${line},title=jetblack::The file would be reformatted\n`);
    }
  }
  return lines.join("");
}

/** The message without the word and the path that the annotation has already. */
function reasonOf(message: string, path: string): string {
  return message.replace(/^error: /, "").replace(`${path}:`, "");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
