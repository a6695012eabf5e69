import type { CustomSplit } from "../../lines/custom-splits.ts";
import { countCharsInWidth, stringWidth } from "../../util/width.ts";
import { assertNamesEnd, breakIndex } from "./break-index.ts";
import { withoutPointlessF } from "./f-prefix.ts";

/** What `splitLiteral` needs to know. Widths are columns. */
export interface SplitOptions {
  /** The literal's prefix in lower case. */
  readonly prefix: string;
  /** Whether parts without a replacement field lose their `f`. */
  readonly dropsPrefix: boolean;
  /** Columns of a part that is broken off, without its closing quote. */
  readonly maxBreakWidth: number;
  /** Columns that the part at the end may have. */
  readonly maxLastWidth: number;
  /** Columns of the operators in front of the first part. */
  readonly operatorColumns: number;
  /** The splits of the source, used if all of them fit. */
  readonly customSplits: readonly CustomSplit[];
}

/** What became of a literal. */
export interface SplitResult {
  /** One alone when nothing can be done; the last is always what was left over. */
  readonly parts: readonly string[];
  /** Parts by width that were made before that got stuck and the source's splits were used instead. */
  readonly abandoned: readonly string[];
}

/** Breaks a string literal into literals that fit (Black: the loop within StringSplitter.do_transform). */
export function splitLiteral(literal: string, options: SplitOptions): SplitResult {
  const { customSplits } = options;
  const fits =
    customSplits.length > 0 && customSplits.every((split) => split.breakIndex <= options.maxBreakWidth);
  const abandoned: string[] = [];
  const parts = fits ? undefined : splitByWidth(literal, options, abandoned);
  return parts === undefined
    ? { parts: splitAsInSource(literal, options), abandoned }
    : { parts, abandoned: [] };
}

/**
 * Breaks as late as possible. `undefined` when that gets stuck and the source's splits are to be used instead; then the
 * parts so far are added to `abandoned`.
 */
function splitByWidth(literal: string, options: SplitOptions, abandoned: string[]): string[] | undefined {
  const quote = quoteOf(literal);
  const parts: string[] = [];
  // What is left is `lead + literal.slice(offset)`; made in full only when a look at its start doesn't do.
  let lead = "";
  let offset = 0;
  while (exceeds(lead, literal, offset, options.maxLastWidth)) {
    if (offset === 0) assertNamesEnd(literal);
    const cut = cutOfNextPart(lead, literal, offset, options);
    if (cut === undefined) {
      if (options.customSplits.length === 0) break;
      abandoned.push(...parts);
      return undefined;
    }
    parts.push(finishPart(lead + literal.slice(offset, cut) + quote, options));
    lead = options.prefix + quote;
    offset = cut;
  }
  parts.push(finishPart(lead + literal.slice(offset), options));
  return parts;
}

/** Whether the rest is wider than `width`. A code point has a column and two UTF-16 units at most. */
function exceeds(lead: string, literal: string, offset: number, width: number): boolean {
  const length = lead.length + literal.length - offset;
  return length > 2 * width || stringWidth(lead + literal.slice(offset)) > width;
}

/** Index in `literal` where the next part ends. The start of a long rest is looked at alone first. */
function cutOfNextPart(
  lead: string,
  literal: string,
  offset: number,
  options: SplitOptions,
): number | undefined {
  const window = lead + literal.slice(offset, offset + 4 * options.maxBreakWidth + 64);
  const max = countCharsInWidth(window, options.maxBreakWidth) - options.operatorColumns;
  // Where a replacement field ends can only be told from the whole.
  let index = options.prefix.includes("f") ? undefined : breakIndex(window, max);
  index ??= breakIndex(lead + literal.slice(offset), max);
  return index === undefined ? undefined : cutAt(lead, literal, offset, index);
}

function splitAsInSource(literal: string, options: SplitOptions): string[] {
  const quote = quoteOf(literal);
  const parts: string[] = [];
  let lead = "";
  let offset = 0;
  for (const split of options.customSplits.slice(0, -1)) {
    let index = split.breakIndex;
    const start = lead + literal.slice(offset, offset + 2 * index + 2);
    let part = start.slice(0, unitIndex(start, index)) + quote;
    // The index is one off for a part without a prefix where the merged string has one that does nothing in it.
    if (
      !split.hasPrefix &&
      (part === options.prefix + quote || part !== withoutPointlessF(part, options.prefix))
    ) {
      index++;
      part = start.slice(0, unitIndex(start, index)) + quote;
    }
    parts.push(finishPart(part, options));
    offset = cutAt(lead, literal, offset, index);
    lead = options.prefix + quote;
  }
  parts.push(finishPart(lead + literal.slice(offset), options));
  return parts;
}

/** Index in `literal` of the code point at `index` of `lead + literal.slice(offset)`. */
function cutAt(lead: string, literal: string, offset: number, index: number): number {
  return offset + unitIndex(lead + literal.slice(offset, offset + 2 * index), index) - lead.length;
}

function quoteOf(literal: string): string {
  return literal[literal.length - 1]!;
}

function finishPart(part: string, options: SplitOptions): string {
  return options.dropsPrefix ? withoutPointlessF(part, options.prefix) : part;
}

/** Index in UTF-16 units of the code point with the given index. */
function unitIndex(text: string, codePoint: number): number {
  let at = 0;
  for (let i = 0; i < codePoint && at < text.length; i++) {
    const unit = text.charCodeAt(at);
    at += unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
  }
  return at;
}
