// Reads the reports that vitest wrote as JSON into a folder and prints "passed failed total" of all.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
const failed = sum((report) => report.numFailedTests + report.numFailedTestSuites);
process.stdout.write(
  `${sum((report) => report.numPassedTests)} ${failed} ${sum((report) => report.numTotalTests)}\n`,
);
