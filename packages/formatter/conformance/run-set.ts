import { compare, type Formatter } from "./compare.ts";
import type { ItemSet } from "./item.ts";
import type { SetResult } from "./report.ts";

/** Compares every item of a set whose name holds `only`. */
export function runSet(set: ItemSet, format: Formatter, only = "", isSafe = false): SetResult {
  const others: SetResult["others"][number][] = [];
  let identical = 0;
  let total = 0;
  for (const item of set.items) {
    if (!item.name.includes(only)) continue;
    total++;
    const outcome = compare(item, format, isSafe);
    if (outcome.kind === "identical") identical++;
    else others.push({ item, outcome });
  }
  return { name: set.name, total, identical, others };
}
