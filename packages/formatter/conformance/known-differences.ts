import { readFileSync } from "node:fs";

/** Set name to item name to the reason why the item may differ from Black. The list may only shrink. */
export type KnownDifferences = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The committed list. */
export function readKnownDifferences(): KnownDifferences {
  return JSON.parse(readFileSync(new URL("known-differences.json", import.meta.url), "utf8"));
}
