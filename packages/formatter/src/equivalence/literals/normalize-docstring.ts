import { splitlines, strip } from "../../util/python-text.ts";

/** A standalone string's value without what Black may change in it: white space at the ends of lines and of the whole (Black: `parsing.py` _normalize). */
export function normalizeDocstring(value: string): string {
  return strip(splitlines(value).map(strip).join("\n"));
}
