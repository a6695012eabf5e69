// Reads vitest's JSON report: prints "passed failed total", and on the terminal what was skipped or took two tries.
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const test of report.testResults.flatMap((file) => file.assertionResults)) {
  if (test.status !== "passed" && test.status !== "failed")
    process.stderr.write(`skipped: ${test.fullName}\n`);
  else if (test.status === "passed" && test.failureMessages.length > 0)
    process.stderr.write(`passed at the second try: ${test.fullName}\n${test.failureMessages[0]}\n`);
}
const failed = report.numFailedTests + report.numFailedTestSuites;
process.stdout.write(`${report.numPassedTests} ${failed} ${report.numTotalTests}\n`);
