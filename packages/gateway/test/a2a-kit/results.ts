import { readFileSync } from "node:fs";

/** One test of the kit and how it ended. */
export interface KitResult {
  readonly test: string;
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
}

/** Tests that fail before they send anything, whatever the agent is; by the end of their name, with the reason. */
const broken: Readonly<Record<string, string>> = {
  "TestTasksList::test_tasks_list_with_existing_tasks":
    "gives its helper transport_send_message a text where that wants an object",
};

/** What pytest says of tests that the kit itself expects to fail: they count as what they show. */
const expectedToFail: Readonly<Record<string, string>> = { xpassed: "passed", xfailed: "skipped" };

interface Phase {
  readonly outcome: string;
  readonly crash?: { readonly message: string };
  readonly longrepr?: string;
}

/** Reads pytest's JSON report. */
export function readResults(file: string): KitResult[] {
  const { tests } = JSON.parse(readFileSync(file, "utf8")) as {
    tests: ({ nodeid: string; outcome: string } & Partial<Record<"setup" | "call", Phase>>)[];
  };
  return tests.map(({ nodeid, outcome: said, setup, call }) => {
    const outcome = expectedToFail[said] ?? said;
    const phase = [setup, call].find((each) => each !== undefined && each.outcome !== "passed");
    const [, folder, second] = nodeid.split("/");
    const category = folder === "mandatory" ? folder : `optional/${second}`;
    const reason = phase?.crash?.message ?? phase?.longrepr ?? "";
    return { test: nodeid.replace(/^tests\//, ""), category, outcome, reason: reason.split("\n")[0]! };
  });
}

/** Prints what did not pass and a table by category. @returns whether no test failed that an agent can pass */
export function printResults(results: readonly KitResult[]): boolean {
  let passes = true;
  for (const { test, outcome, reason } of results) {
    if (outcome === "passed") continue;
    const known = Object.keys(broken).find((name) => test.endsWith(name));
    say(
      `${outcome} ${test}\n    ${known === undefined ? reason.slice(0, 300) : `the test ${broken[known]}`}`,
    );
    if (outcome !== "skipped" && known === undefined) passes = false;
  }
  const outcomes = ["passed", "failed", "error", "skipped"];
  say(`\n| Category | ${outcomes.join(" | ")} |\n| --- |${" --- |".repeat(outcomes.length)}`);
  for (const category of new Set(results.map((result) => result.category))) {
    const counts = outcomes.map(
      (outcome) =>
        results.filter((result) => result.category === category && result.outcome === outcome).length,
    );
    say(`| ${category} | ${counts.join(" | ")} |`);
  }
  return passes;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
