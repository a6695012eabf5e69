// Reads the reports that vitest wrote as JSON into a folder and prints "passed failed total" of all.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
/** Files that could not be loaded or set up: they failed, though none of their tests did. */
const brokenFiles = ({ testResults }) =>
  testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  ).length;
const failed = sum((report) => report.numFailedTests + brokenFiles(report));
process.stdout.write(
  `${sum((report) => report.numPassedTests)} ${failed} ${sum((report) => report.numTotalTests)}\n`,
);
