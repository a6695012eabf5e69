import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { productVersion } from "../../mode/versions.ts";
import type { Finding } from "./machine-report.ts";

const rules = [
  { id: "would-reformat", shortDescription: { text: "The file is not formatted" } },
  { id: "cannot-format", shortDescription: { text: "The file cannot be formatted" } },
] as const;

/** SARIF 2.1.0 (OASIS), as GitHub's code scanning and others read it. */
export function renderSarif(findings: readonly Finding[]): string {
  const results = findings.map(({ path, rule, text, line, column }) => ({
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: rule === "cannot-format" ? "error" : "warning",
    message: { text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: addressOf(path) },
          // Code scanning shows nothing of a result without a line.
          region: { startLine: line ?? 1, ...(column === undefined ? {} : { startColumn: column }) },
        },
      },
    ],
  }));
  const driver = { name: "jetblack", version: productVersion, rules };
  const run = { tool: { driver }, columnKind: "unicodeCodePoints", results };
  const log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

/** A path as a reference relative to the repository, or as a whole address where it is absolute. */
function addressOf(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
