import { decodeSource } from "../src/files/decode.ts";
import { failureMessage } from "../src/files/failure-message.ts";
import { formatContents } from "../src/files/format-contents.ts";
import type { Answer, Item } from "./item.ts";
import { readRefusal } from "./refusal.ts";

/** What the product makes of one item's bytes, with the safety check or without; line ends are LF. */
export function askProduct(bytes: Uint8Array, item: Item, isSafe: boolean): Answer {
  const job = { pythonCellMagics: [], fast: !isSafe, lineRanges: item.lineRanges };
  try {
    return { text: formatContents(decodeSource(bytes).contents, item.mode, job) };
  } catch (error) {
    return { refusal: readRefusal(failureMessage("<file>", error).replace(/^error: /, "")) };
  }
}
