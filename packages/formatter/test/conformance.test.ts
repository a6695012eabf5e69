import { describe, expect, test } from "vitest";
import { caseSets } from "../conformance/case-sets.ts";
import { corpusSets } from "../conformance/corpus-sets.ts";
import { findDataFolder, NO_DATA } from "../conformance/data-folder.ts";
import { readKnownDifferences } from "../conformance/known-differences.ts";
import { runSet } from "../conformance/run-set.ts";

const data = findDataFolder();
const sets = data === undefined ? [] : [...caseSets(data), ...corpusSets(data)];

const hasSets = sets.length > 0;

describe.skipIf(!hasSets)(hasSets ? "Black's answers" : `Black's answers: ${NO_DATA}`, () => {
  test.each(sets.map((set) => [set.name, set] as const))(
    "%s: only known items differ, and all of those do",
    (name, set) => {
      const { others } = runSet(set);
      const known = Object.keys(readKnownDifferences()[name] ?? {});
      expect(others.map(({ item }) => item.name).sort()).toEqual(known.sort());
    },
  );

  test("the list of known differences names no set that does not exist", () => {
    const names = sets.map((set) => set.name);
    for (const name of Object.keys(readKnownDifferences())) expect(names).toContain(name);
  });
});
