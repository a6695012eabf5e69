import type { Mode } from "../../mode/mode.ts";
import { afterDefinition } from "./after-definition.ts";
import { beforeClassOrDefinition } from "./class-or-definition.ts";
import { endsFmtOff } from "./converted.ts";
import { afterImport } from "./imports.ts";
import { type LineFacts, Trait } from "./line-facts.ts";
import { LinesBlock } from "./lines-block.ts";
import { initialState, type TrackerState, trackDecorated, trackLeadingComment } from "./tracker-state.ts";

/**
 * Decides how many blank lines go before and after each line (`lines.py` EmptyLineTracker). Takes lines before they
 * are split, in order.
 */
export class EmptyLineTracker {
  readonly #state: TrackerState;
  readonly #previousDefs: LineFacts[] = [];

  constructor(mode: Mode) {
    this.#state = initialState(mode);
  }

  /** The block for the line's output (`maybe_empty_lines`). */
  blockFor(line: LineFacts): LinesBlock {
    const state = this.#state;
    const { previousAfter } = state;
    const wanted = this.#blankLinesBefore(line);
    const before = followsModuleDocstring(state, line) ? 1 : Math.max(0, wanted - previousAfter);
    const block = new LinesBlock(before, previousAfter, line.is(Trait.FORM_FEED));
    trackLeadingComment(state, line, block);
    if (state.overloadGroups) trackDecorated(state, line);
    state.previousAfter = blankLinesAfter(state, line);
    state.isAfterModuleDocstring = state.isAfterCommentsOnly && line.is(Trait.MODULE_DOCSTRING);
    if (!line.is(Trait.COMMENT)) state.isAfterCommentsOnly = false;
    state.previousLine = line;
    return block;
  }

  /** Blank lines before, without regard to those after the previous line (`_maybe_empty_lines`). */
  #blankLinesBefore(line: LineFacts): number {
    const state = this.#state;
    let before = sourceBlankLines(state, line);
    const userHadNewline = before > 0;
    const previousDef = this.#popDefinitions(line);
    const previousLine = state.previousLine;
    if (previousLine === undefined) return 0;
    if (line.is(Trait.DOCSTRING)) {
      if (previousLine.is(Trait.CLASS)) return 0;
      if (previousLine.is(Trait.OPENS_BLOCK) && previousLine.is(Trait.DEF)) return 0;
    }
    if (previousDef !== undefined) {
      before = afterDefinition(state, line, previousLine, previousDef, userHadNewline);
    }
    if (line.is(Trait.DECORATOR | Trait.DEF | Trait.CLASS)) {
      return beforeClassOrDefinition(state, line, previousLine, before, userHadNewline);
    }
    return afterImport(state.mode, line, previousLine, before);
  }

  /** Takes off the definitions that the line is not part of and returns the outermost (`previous_def`). */
  #popDefinitions(line: LineFacts): LineFacts | undefined {
    const open = this.#previousDefs;
    let last: LineFacts | undefined;
    while (open.length > 0 && open[open.length - 1]!.depth >= line.depth) last = open.pop();
    if (line.is(Trait.DEF | Trait.CLASS)) open.push(line);
    return last;
  }
}

/** Blank lines that the source has before the line, as many as are allowed at most. */
function sourceBlankLines(state: TrackerState, line: LineFacts): number {
  const { newlines } = line;
  if (newlines === 0 || line.is(Trait.CONVERTED)) return newlines;
  if (state.previousLine?.is(Trait.CONVERTED) === true && endsFmtOff(line.tree, line.first)) return newlines;
  return Math.min(newlines, line.depth === 0 && !state.mode.isPyi ? 2 : 1);
}

/** Blank lines that the next line is to have before it in any case: after the docstring of a class, a decorated stub. */
function blankLinesAfter(state: TrackerState, line: LineFacts): number {
  const { previousLine } = state;
  if (previousLine === undefined) return 0;
  if (line.is(Trait.DOCSTRING)) return previousLine.is(Trait.CLASS) ? 1 : 0;
  return state.mode.isPyi && line.isStubClass() && previousLine.is(Trait.DECORATOR) ? 1 : 0;
}

/** `_line_is_module_docstring`: the line follows the docstring of the module. */
function followsModuleDocstring(state: TrackerState, line: LineFacts): boolean {
  if (!state.isAfterModuleDocstring || line.is(Trait.CLASS | Trait.DEF)) return false;
  return state.mode.preview === 0 || state.previousLine?.isDocstringStill() === true;
}
