import { compare } from "./compare.ts";
import type { ItemSet } from "./item.ts";
import type { SetResult } from "./report.ts";

/** Compares every item of a set whose name holds `only`. */
export function runSet(set: ItemSet, only = "", isSafe = true): SetResult {
  const others: SetResult["others"][number][] = [];
  const known: Record<string, number> = {};
  let identical = 0;
  let total = 0;
  for (const item of set.items) {
    if (!item.name.includes(only)) continue;
    total++;
    const outcome = compare(item, isSafe);
    if (outcome.kind === "identical") identical++;
    else if (outcome.kind === "known") known[outcome.name] = (known[outcome.name] ?? 0) + 1;
    else others.push({ item, outcome });
  }
  return { name: set.name, total, identical, known, others };
}
