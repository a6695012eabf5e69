import { formatContents } from "../src/files/format-contents.ts";
import type { Formatter } from "./compare.ts";

/** The product's formatter as the comparison calls it. */
export const productFormatter: Formatter = (source, item, isSafe) =>
  formatContents(source, item.mode, { pythonCellMagics: [], fast: !isSafe, lineRanges: item.lineRanges });
