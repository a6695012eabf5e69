// Reads vitest's JSON report and prints "passed failed total".
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = report.numFailedTests + report.numFailedTestSuites;
process.stdout.write(`${report.numPassedTests} ${failed} ${report.numTotalTests}\n`);
