import type { Finding } from "./machine-report.ts";

/** JUnit's XML as CI systems read it: a test for each file, failed where it would change, an error where it cannot. */
export function renderJunit(paths: readonly string[], findings: readonly Finding[]): string {
  const found = new Map(findings.map((finding) => [finding.path, finding]));
  const errors = findings.filter(({ rule }) => rule === "cannot-format").length;
  const counts = `tests="${paths.length}" failures="${findings.length - errors}" errors="${errors}"`;
  const cases = paths.map((path) => {
    const test = `    <testcase classname="jetblack" name="${escapeAttribute(path)}"`;
    const finding = found.get(path);
    if (finding === undefined) return `${test}/>\n`;
    const tag = finding.rule === "cannot-format" ? "error" : "failure";
    const [message = ""] = finding.text.split("\n");
    const place = finding.line === undefined ? path : `${path}:${finding.line}`;
    const body = escapeXml(`${place}\n${finding.text}`);
    return `${test}>\n      <${tag} type="${finding.rule}" message="${escapeAttribute(message)}">${body}</${tag}>\n    </testcase>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="jetblack" ${counts}>\n${cases.join("")}  </testsuite>\n</testsuites>\n`;
}

/** Readers take white space in attributes for blanks unless it is written by number. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** XML 1.0 has no way to write most control characters, so that these are shown by number. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(
      /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu,
      (character) => `\\x${character.charCodeAt(0).toString(16)}`,
    );
}
