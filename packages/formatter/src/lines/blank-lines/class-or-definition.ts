/** Blank lines before decorators, functions and classes (`lines.py` _maybe_empty_lines_for_class_or_def). */
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { type LineFacts, Trait } from "./line-facts.ts";
import type { LinesBlock } from "./lines-block.ts";
import {
  decoratesClass,
  decoratorTargetName,
  isInConditionalGroup,
  startsDecoratedGroup,
} from "./overloads.ts";
import { isInCurrentGroup, type TrackerState } from "./tracker-state.ts";

/** Blank lines before a decorator, `def` or `class`. */
export function beforeClassOrDefinition(
  state: TrackerState,
  line: LineFacts,
  previousLine: LineFacts,
  before: number,
  userHadNewline: boolean,
): number {
  const { isPyi } = state.mode;
  if (previousLine.is(Trait.DECORATOR)) return 0;
  if (previousLine.depth < line.depth && previousLine.is(Trait.CLASS | Trait.DEF)) {
    return !isPyi && userHadNewline ? 1 : 0;
  }
  let comment: LinesBlock | undefined;
  if (previousLine.is(Trait.COMMENT) && previousLine.depth === line.depth && before === 0) {
    comment = movableComment(state);
    if (comment === undefined) return 0;
  }
  const newlines = isPyi
    ? newlinesInStub(state, line, previousLine, before)
    : newlinesInModule(state, line, previousLine, userHadNewline);
  if (comment === undefined) return newlines;
  // The blank lines go before the comments that belong to the definition.
  comment.before = Math.max(comment.before, newlines) - comment.previousAfter;
  return 0;
}

/** The first comment before the definition, if blank lines may be put before it. */
function movableComment(state: TrackerState): LinesBlock | undefined {
  const comment = state.semanticLeadingComment;
  return comment?.mayGrow === true && comment.before <= 1 ? comment : undefined;
}

function newlinesInModule(
  state: TrackerState,
  line: LineFacts,
  previousLine: LineFacts,
  userHadNewline: boolean,
): number {
  // No blank line is forced after a dummy implementation, as with overloads and protocols.
  const followsStub =
    !userHadNewline &&
    previousLine.isStubDef() &&
    (previousLine.depth === line.depth || !hasPreview(state.mode, Preview.blank_line_after_stub_method));
  if (followsStub) return 0;
  return line.depth !== 0 ? 1 : 2;
}

function newlinesInStub(
  state: TrackerState,
  line: LineFacts,
  previousLine: LineFacts,
  before: number,
): number {
  const groups = state.overloadGroups;
  if (line.is(Trait.CLASS) || previousLine.is(Trait.CLASS))
    return newlinesAroundStubClass(line, previousLine);
  if (previousLine.depth > line.depth) return groups && isInCurrentGroup(state, line) ? 0 : 1;
  if (groups && state.previousDecorated?.isMulti && previousLine.depth >= line.depth) {
    return isInCurrentGroup(state, line) ? 0 : 1;
  }
  if (groups && isInCurrentGroup(state, line)) return 0;
  if (groups && previousLine.depth >= line.depth && startsNewGroup(state, line)) return 1;
  if (line.is(Trait.DEF | Trait.DECORATOR) && !previousLine.is(Trait.DEF)) {
    if (groups && line.is(Trait.DECORATOR) && previousLine.is(Trait.COMMENT) && isInConditionalGroup(line))
      return 0;
    return line.depth !== 0 ? Math.min(1, before) : 1;
  }
  const decorated =
    hasPreview(state.mode, Preview.pyi_blank_line_before_decorated_class) && decoratesClass(line);
  return decorated ? 1 : 0;
}

function newlinesAroundStubClass(line: LineFacts, previousLine: LineFacts): number {
  if (previousLine.depth < line.depth) return 0;
  if (previousLine.depth > line.depth) return 1;
  return line.isStubClass() && previousLine.isStubClass() ? 0 : 1;
}

/** Whether the decorator begins a group other than the one that is going on. */
function startsNewGroup(state: TrackerState, line: LineFacts): boolean {
  if (!startsDecoratedGroup(line)) return false;
  const previous = state.previousDecorated;
  return (
    previous === undefined || previous.depth !== line.depth || previous.name !== decoratorTargetName(line)
  );
}
