import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { continuesIf } from "./continues-if.ts";
import { type LineFacts, Trait } from "./line-facts.ts";
import type { LinesBlock } from "./lines-block.ts";
import { decoratorTargetName, definedName, isDecoratedDefinition } from "./overloads.ts";

/** The decorated function seen last in a stub, for groups of overloads (`_DecoratedFuncInfo`). */
export interface DecoratedFunction {
  readonly name: string;
  readonly depth: number;
  /** Whether it has had a predecessor of the same name. */
  readonly isMulti: boolean;
}

/** What the rules know about the lines before the current one. */
export interface TrackerState {
  readonly mode: Mode;
  /** Stub with the preview feature pyi_overload_group_blank_lines. */
  readonly overloadGroups: boolean;
  previousLine: LineFacts | undefined;
  /** Blank lines that count as after the previous line. */
  previousAfter: number;
  /** Whether all lines so far are comments. */
  isAfterCommentsOnly: boolean;
  /** Whether the previous line is a docstring with nothing but comments before it. */
  isAfterModuleDocstring: boolean;
  /** The first of the comments that belong to the definition after them. */
  semanticLeadingComment: LinesBlock | undefined;
  previousDecorated: DecoratedFunction | undefined;
}

/** The state before the first line. */
export function initialState(mode: Mode): TrackerState {
  return {
    mode,
    overloadGroups: mode.isPyi && hasPreview(mode, Preview.pyi_overload_group_blank_lines),
    previousLine: undefined,
    previousAfter: 0,
    isAfterCommentsOnly: true,
    isAfterModuleDocstring: false,
    semanticLeadingComment: undefined,
    previousDecorated: undefined,
  };
}

/** Remembers the first of the comments that a definition may follow. */
export function trackLeadingComment(state: TrackerState, line: LineFacts, block: LinesBlock): void {
  const hasBlankBefore = block.before > 0;
  if (!line.is(Trait.COMMENT)) {
    if (hasBlankBefore || !line.is(Trait.DECORATOR)) setLeadingComment(state, undefined);
    return;
  }
  const previous = state.previousLine;
  const continues =
    previous !== undefined &&
    (previous.is(Trait.DECORATOR) ||
      (!hasBlankBefore && (previous.is(Trait.COMMENT) || state.semanticLeadingComment !== undefined)));
  if (continues) return;
  block.mayGrow = previous !== undefined && !previous.is(Trait.CLASS | Trait.OPENS_BLOCK);
  setLeadingComment(state, block);
}

/** The blank lines before the one that was meant so far are settled: the output waits for no others. */
function setLeadingComment(state: TrackerState, block: LinesBlock | undefined): void {
  if (state.semanticLeadingComment !== undefined) state.semanticLeadingComment.mayGrow = false;
  state.semanticLeadingComment = block;
}

/** Remembers the decorated function that the line defines, and forgets it where its surroundings end. */
export function trackDecorated(state: TrackerState, line: LineFacts): void {
  const previous = state.previousDecorated;
  if (isDecoratedDefinition(line)) {
    const name = definedName(line);
    if (name === undefined) return;
    const repeats = previous !== undefined && previous.name === name;
    const isMulti = repeats && (previous.depth === line.depth || previous.isMulti);
    state.previousDecorated = { name, depth: line.depth, isMulti };
  } else if (!line.is(Trait.DECORATOR | Trait.COMMENT)) {
    const ends = previous === undefined || (line.depth <= previous.depth && !continuesIf(line));
    if (ends) state.previousDecorated = undefined;
  }
}

/** Whether the line belongs to the group of functions of one name that is going on (`_is_in_current_group`). */
export function isInCurrentGroup(state: TrackerState, line: LineFacts): boolean {
  const previous = state.previousDecorated;
  if (previous === undefined || previous.depth !== line.depth) return false;
  if (line.is(Trait.DECORATOR)) return decoratorTargetName(line) === previous.name;
  return definedName(line) === previous.name && isDecoratedDefinition(line);
}
