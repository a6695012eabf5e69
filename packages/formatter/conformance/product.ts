import { failureMessage } from "../src/files/failure-message.ts";
import { formatContents } from "../src/files/format-contents.ts";
import type { Answer, Item } from "./item.ts";
import { readRefusal } from "./refusal.ts";

/** What the product makes of one item's source, with the safety check or without. */
export function askProduct(source: string, item: Item, isSafe: boolean): Answer {
  const job = { pythonCellMagics: [], fast: !isSafe, lineRanges: item.lineRanges };
  try {
    return { text: formatContents(source, item.mode, job) };
  } catch (error) {
    return { refusal: readRefusal(failureMessage("<file>", error).replace(/^error: /, "")) };
  }
}
