import type { Mode } from "../../mode/mode.ts";
import { PrefixFlag } from "../../syntax/tree.ts";
import type { Line } from "../line.ts";
import { afterDefinition } from "./after-definition.ts";
import { beforeClassOrDefinition } from "./class-or-definition.ts";
import { endsFmtOff, isFmtPassConverted } from "./converted.ts";
import { afterImport } from "./imports.ts";
import { LinesBlock } from "./lines-block.ts";
import { initialState, type TrackerState, trackDecorated, trackLeadingComment } from "./tracker-state.ts";

/**
 * Decides how many blank lines go before and after each line (`lines.py` EmptyLineTracker). Takes lines before they
 * are split, in order; `tree.newlines` of a line's first leaf holds the line breaks before it.
 */
export class EmptyLineTracker {
  readonly #state: TrackerState;
  readonly #previousDefs: Line[] = [];

  constructor(mode: Mode) {
    this.#state = initialState(mode);
  }

  /** The block for the line's output (`maybe_empty_lines`). */
  blockFor(line: Line): LinesBlock {
    const state = this.#state;
    const [wanted, after] = this.#blankLines(line);
    const previousAfter = state.previousBlock === undefined ? 0 : state.previousBlock.after;
    const before = followsModuleDocstring(state, line) ? 1 : Math.max(0, wanted - previousAfter);
    const block = new LinesBlock(state.previousBlock, line, before, after, hasFormFeed(line));
    trackLeadingComment(state, line, block);
    if (state.overloadGroups) trackDecorated(state, line);
    state.previousLine = line;
    state.previousBlock = block;
    return block;
  }

  /** Blank lines before and after, without regard to those after the previous block (`_maybe_empty_lines`). */
  #blankLines(line: Line): readonly [number, number] {
    const state = this.#state;
    let before = sourceBlankLines(state, line);
    const userHadNewline = before > 0;
    const previousDef = this.#popDefinitions(line);
    const previousLine = state.previousLine;
    if (previousLine === undefined) return [0, 0];
    if (line.isDocstring()) {
      if (previousLine.isClass()) return [0, 1];
      if (previousLine.opensBlock() && previousLine.isDef()) return [0, 0];
    }
    if (previousDef !== undefined) {
      before = afterDefinition(state, line, previousLine, previousDef, userHadNewline);
    }
    if (line.isDecorator() || line.isDef() || line.isClass()) {
      return beforeClassOrDefinition(state, line, previousLine, before, userHadNewline);
    }
    return [afterImport(state.mode, line, previousLine, before), 0];
  }

  /** Takes off the definitions that the line is not part of and returns the outermost (`previous_def`). */
  #popDefinitions(line: Line): Line | undefined {
    const open = this.#previousDefs;
    let last: Line | undefined;
    while (open.length > 0 && open[open.length - 1]!.depth >= line.depth) last = open.pop();
    if (line.isDef() || line.isClass()) open.push(line);
    return last;
  }
}

/** Blank lines that the source has before the line, as many as are allowed at most. */
function sourceBlankLines(state: TrackerState, line: Line): number {
  const first = line.leaves[0];
  if (first === undefined) return 0;
  const newlines = line.tree.newlines[first]!;
  if (isFmtPassConverted(line)) return newlines;
  if (
    state.previousLine !== undefined &&
    isFmtPassConverted(state.previousLine) &&
    endsFmtOff(line.tree, first)
  ) {
    return newlines;
  }
  return Math.min(newlines, line.depth === 0 && !state.mode.isPyi ? 2 : 1);
}

function hasFormFeed(line: Line): boolean {
  const first = line.leaves[0];
  return (
    line.depth === 0 && first !== undefined && (line.tree.prefixFlags[first]! & PrefixFlag.FORM_FEED) !== 0
  );
}

/** `_line_is_module_docstring`: the line follows the docstring of the module. */
function followsModuleDocstring(state: TrackerState, line: Line): boolean {
  if (state.previousBlock === undefined || !state.previousBlock.isModuleDocstring) return false;
  return !line.isClass() && !line.isDef();
}
