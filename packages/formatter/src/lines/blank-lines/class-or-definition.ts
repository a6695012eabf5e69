/** Blank lines before decorators, functions and classes (`lines.py` _maybe_empty_lines_for_class_or_def). */
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import type { Line } from "../line.ts";
import type { LinesBlock } from "./lines-block.ts";
import {
  decoratesClass,
  decoratorTargetName,
  isInConditionalGroup,
  startsDecoratedGroup,
} from "./overloads.ts";
import { isInCurrentGroup, type TrackerState } from "./tracker-state.ts";

/** Blank lines before and after a decorator, `def` or `class`. */
export function beforeClassOrDefinition(
  state: TrackerState,
  line: Line,
  previousLine: Line,
  before: number,
  userHadNewline: boolean,
): readonly [number, number] {
  const { isPyi } = state.mode;
  if (previousLine.isDecorator()) return [0, isPyi && line.isStubClass() ? 1 : 0];
  if (previousLine.depth < line.depth && (previousLine.isClass() || previousLine.isDef())) {
    return [!isPyi && userHadNewline ? 1 : 0, 0];
  }
  let comment: LinesBlock | undefined;
  if (previousLine.isComment() && previousLine.depth === line.depth && before === 0) {
    comment = movableComment(state);
    if (comment === undefined) return [0, 0];
  }
  const newlines = isPyi
    ? newlinesInStub(state, line, previousLine, before)
    : newlinesInModule(state, line, previousLine, userHadNewline);
  if (comment?.previous === undefined) return [newlines, 0];
  // The blank lines go before the comments that belong to the definition.
  comment.before = Math.max(comment.before, newlines) - comment.previous.after;
  return [0, 0];
}

/** The first comment before the definition, if blank lines may be put before it. */
function movableComment(state: TrackerState): LinesBlock | undefined {
  const comment = state.semanticLeadingComment;
  const previous = comment?.previous;
  if (comment === undefined || previous === undefined) return undefined;
  if (previous.isClass || previous.opensBlock || comment.before > 1) return undefined;
  return comment;
}

function newlinesInModule(
  state: TrackerState,
  line: Line,
  previousLine: Line,
  userHadNewline: boolean,
): number {
  // No blank line is forced after a dummy implementation, as with overloads and protocols.
  const followsStub =
    !userHadNewline &&
    previousLine.isStubDef() &&
    (previousLine.depth === line.depth || !hasPreview(state.mode, Preview.blank_line_after_stub_method));
  if (followsStub) return 0;
  return line.depth > 0 ? 1 : 2;
}

function newlinesInStub(state: TrackerState, line: Line, previousLine: Line, before: number): number {
  const groups = state.overloadGroups;
  if (line.isClass() || previousLine.isClass()) return newlinesAroundStubClass(line, previousLine);
  if (previousLine.depth > line.depth) return groups && isInCurrentGroup(state, line) ? 0 : 1;
  if (groups && state.previousDecorated?.isMulti && previousLine.depth >= line.depth) {
    return isInCurrentGroup(state, line) ? 0 : 1;
  }
  if (groups && isInCurrentGroup(state, line)) return 0;
  if (groups && previousLine.depth >= line.depth && startsNewGroup(state, line)) return 1;
  if ((line.isDef() || line.isDecorator()) && !previousLine.isDef()) {
    if (groups && line.isDecorator() && previousLine.isComment() && isInConditionalGroup(line)) return 0;
    return line.depth > 0 ? Math.min(1, before) : 1;
  }
  const decorated =
    hasPreview(state.mode, Preview.pyi_blank_line_before_decorated_class) && decoratesClass(line);
  return decorated ? 1 : 0;
}

function newlinesAroundStubClass(line: Line, previousLine: Line): number {
  if (previousLine.depth < line.depth) return 0;
  if (previousLine.depth > line.depth) return 1;
  return line.isStubClass() && previousLine.isStubClass() ? 0 : 1;
}

/** Whether the decorator begins a group other than the one that is going on. */
function startsNewGroup(state: TrackerState, line: Line): boolean {
  if (!startsDecoratedGroup(line)) return false;
  const previous = state.previousDecorated;
  return (
    previous === undefined || previous.depth !== line.depth || previous.name !== decoratorTargetName(line)
  );
}
