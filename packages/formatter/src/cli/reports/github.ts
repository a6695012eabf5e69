import type { Finding } from "./machine-report.ts";

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export function renderGithub(findings: readonly Finding[]): string {
  return findings
    .map(({ path, rule, text, line, column }) => {
      const place =
        (line === undefined ? "" : `,line=${line}`) + (column === undefined ? "" : `,col=${column}`);
      const level = rule === "cannot-format" ? "error" : "warning";
      return `::${level} file=${escapeProperty(path)}${place},title=jetblack::${escapeData(text)}\n`;
    })
    .join("");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
