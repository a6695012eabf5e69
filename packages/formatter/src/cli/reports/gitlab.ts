import { digestOf } from "../../files/cache/digest.ts";
import type { Finding } from "./machine-report.ts";

/** Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
export function renderGitlab(findings: readonly Finding[]): string {
  const issues = findings.map(({ path, rule, text, line }) => ({
    description: text,
    check_name: rule,
    // The same finding keeps its name while lines above it move.
    fingerprint: digestOf(`${rule}\0${path}`),
    severity: rule === "cannot-format" ? "major" : "minor",
    location: { path, lines: { begin: line ?? 1 } },
  }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
