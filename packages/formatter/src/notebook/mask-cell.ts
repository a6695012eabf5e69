import { codePointLength, lstrip, rstrip, splitlines, strip } from "../util/python-text.ts";
import { findMagic } from "./find-magic.ts";
import { holdsIpythonCall } from "./ipython-call.ts";
import { MAX_MAGICS } from "./magic-meaning.ts";
import { createMask, NoMaskError } from "./mask.ts";
import { cellLines, cleanUp } from "./prompts.ts";

/** A magic, and the Python expression of the same length that stands for it while the cell is formatted. */
export interface Replacement {
  readonly mask: string;
  readonly magic: string;
}

export interface MaskedCell {
  readonly code: string;
  readonly replacements: readonly Replacement[];
  /** Empty lines at the start of the cell that the code no longer has. */
  readonly skippedLines: number;
}

/**
 * Makes a cell Python by masking its magics (Black: mask_cell). `undefined` when the cell has to stay as it is.
 * A cell that `isPython` already is left alone, so that `a %b` keeps its meaning.
 */
export function maskCell(cell: string, isPython: (code: string) => boolean): MaskedCell | undefined {
  if (isPython(cell)) return asItIs(cell);
  const masked = maskMagics(cell);
  return masked !== undefined && isPython(masked.code) ? masked : undefined;
}

/** A cell without magics. */
export function asItIs(cell: string): MaskedCell {
  return { code: cell, replacements: [], skippedLines: 0 };
}

/** The cell with a mask for each magic, whether that is Python or not; `undefined` where masks would not do. */
export function maskMagics(cell: string): MaskedCell | undefined {
  try {
    return maskWithout(cell, textsOf(cell));
  } catch (error) {
    if (error instanceof NoMaskError) return undefined;
    throw error;
  }
}

/** @param taken texts that may hold no mask. */
function maskWithout(cell: string, taken: readonly string[]): MaskedCell | undefined {
  const replacements: Replacement[] = [];
  const hide = (magic: string): string => {
    const mask = createMask(
      codePointLength(magic),
      replacements.length,
      (token) =>
        taken.some((text) => text.includes(token)) ||
        replacements.some(({ mask }) => mask.includes(token) || token.includes(mask)),
    );
    replacements.push({ mask, magic });
    return mask;
  };
  const lines = maskLines(maskCellMagic(cleanUp(cellLines(cell)), hide), hide);
  if (lines === undefined) return undefined;
  const code = lines.join("");
  if (holdsIpythonCall(code)) return undefined;
  if (splitlines(strip(code)).length !== splitlines(strip(cell)).length) return undefined;
  return { code, replacements, skippedLines: leadingLines(cell) - leadingLines(code) };
}

/** The cell, and what it will be like when its strings get the quotes and the prefix of a mask. */
function textsOf(cell: string): readonly string[] {
  return [cell, cell.replaceAll("'", '"').replaceAll('B"', 'b"')];
}

/** Empty lines at the start. */
function leadingLines(text: string): number {
  return text.slice(0, text.length - lstrip(text).length).split("\n").length - 1;
}

/** `%%time args` on the first line becomes a mask; the rest of the cell is cleaned up once more behind it. */
function maskCellMagic(lines: string[], hide: (magic: string) => string): string[] {
  const first = lines[0];
  if (first === undefined || !first.startsWith("%%") || /^%%\w+\?/.test(first)) return lines;
  const header = rstrip(first.slice(2));
  const space = header.indexOf(" ");
  const args = space === -1 ? "" : header.slice(space + 1);
  const magic = args === "" ? `%%${space === -1 ? header : header.slice(0, space)}` : `%%${header}`;
  return cleanUp([`${hide(magic)}\n`, ...lines.slice(1)]);
}

function maskLines(start: string[], hide: (magic: string) => string): string[] | undefined {
  let lines = start;
  let from = 0;
  for (let count = 0; count < MAX_MAGICS; count++) {
    const found = findMagic(lines, from);
    if (found === undefined) return lines;
    from = found.firstLine;
    if (found.meaning.kind === "unsupported") return undefined;
    const text = found.meaning.kind === "code" ? found.meaning.text : hide(found.meaning.text);
    const before = lines[found.line]!.slice(0, found.column);
    lines = [...lines.slice(0, found.line), `${before}${text}\n`, ...lines.slice(found.endLine + 1)];
  }
  return undefined;
}

/**
 * Puts the magics back (Black: unmask_cell). `undefined` when a mask was lost or doubled, or when a magic would
 * now stand where IPython no longer sees it, such as within parentheses.
 */
export function unmaskCell(
  code: string,
  replacements: readonly Replacement[],
  isPython: (code: string) => boolean,
): string | undefined {
  let cell = code;
  for (const { mask, magic } of replacements) {
    const parts = cell.split(mask);
    if (parts.length !== 2) return undefined;
    cell = parts[0] + magic + parts[1];
  }
  if (replacements.length === 0) return cell;
  const again = maskCell(cell, isPython)?.replacements.map(({ magic }) => magic);
  const same =
    again?.length === replacements.length && again.every((magic, i) => magic === replacements[i]!.magic);
  return same ? cell : undefined;
}
