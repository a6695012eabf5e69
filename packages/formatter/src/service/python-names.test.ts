import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Preview } from "../mode/preview.ts";
import { targetVersions } from "../mode/target-version.ts";

const source = readFileSync(new URL("../../python/jetblack/_mode.py", import.meta.url), "utf8");

/** The members of an enum of the Python package, in their order. */
function membersOf(name: string): string[] {
  const body = new RegExp(`^class ${name}\\(Enum\\):\\n((?:(?:    .*)?\\n)*)`, "m").exec(source)![1]!;
  return [...body.matchAll(/^ {4}(\w+) = /gm)].map(([, member]) => member!);
}

test("the Python package knows the same versions", () => {
  expect(membersOf("TargetVersion").map((name) => name.toLowerCase())).toEqual([...targetVersions]);
});

test("the Python package knows the same preview features", () => {
  expect(membersOf("Preview")).toEqual(Object.keys(Preview));
});
