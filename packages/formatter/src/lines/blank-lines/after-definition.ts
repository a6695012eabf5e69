/** Blank lines where a function or class has ended (`lines.py` _maybe_empty_lines, the part on `previous_def`). */
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { Kind } from "../../syntax/kinds.ts";
import { continuesIf } from "./continues-if.ts";
import { type LineFacts, Trait } from "./line-facts.ts";
import { blockFirstFunctionName, blockIsPartOfGroup, isFollowedBySameName } from "./overloads.ts";
import { isInCurrentGroup, type TrackerState } from "./tracker-state.ts";

/** Blank lines before a line that comes after the end of `previousDef`. */
export function afterDefinition(
  state: TrackerState,
  line: LineFacts,
  previousLine: LineFacts,
  previousDef: LineFacts,
  userHadNewline: boolean,
): number {
  if (state.mode.isPyi) return afterDefinitionInStub(state, line, previousLine, previousDef, userHadNewline);
  if (line.depth !== 0) return 1;
  return previousDef.depth !== 0 && isDependentClause(line) ? 1 : 2;
}

/** Whether the line opens a block that belongs to a statement before it, such as `else:`. */
function isDependentClause(line: LineFacts): boolean {
  if (!line.is(Trait.OPENS_BLOCK)) return false;
  switch (line.tree.kind[line.first]) {
    case Kind.KW_WITH:
    case Kind.KW_TRY:
    case Kind.KW_FOR:
    case Kind.KW_WHILE:
    case Kind.KW_IF:
    case Kind.KW_MATCH:
      return false;
    default:
      return true;
  }
}

function afterDefinitionInStub(
  state: TrackerState,
  line: LineFacts,
  previousLine: LineFacts,
  previousDef: LineFacts,
  userHadNewline: boolean,
): number {
  const groups = state.overloadGroups;
  const decorated = state.previousDecorated;
  const kept = userHadNewline ? 1 : 0;
  if (previousDef.is(Trait.CLASS) && !previousDef.isStubClass()) return 1;
  if (
    groups &&
    decorated?.isMulti &&
    !line.is(Trait.COMMENT) &&
    previousLine.depth >= line.depth &&
    !continuesIf(line)
  ) {
    if (isInCurrentGroup(state, line)) return 0;
    return line.is(Trait.OPENS_BLOCK) && blockFirstFunctionName(line) === decorated.name ? 0 : 1;
  }
  if (groups && line.is(Trait.OPENS_BLOCK) && continuesIf(line) && blockIsPartOfGroup(line)) return 0;
  if (
    hasPreview(state.mode, Preview.pyi_blank_line_after_function_docstring) &&
    previousDef.is(Trait.DEF) &&
    previousLine.isDocstringStill() &&
    previousLine.depth === previousDef.depth + 1 &&
    !isFollowedBySameName(previousDef, groups)
  ) {
    return 1;
  }
  if (line.depth !== 0 && !line.is(Trait.DEF) && previousLine.is(Trait.DEF)) {
    const opensGroup =
      groups && line.is(Trait.OPENS_BLOCK) && previousLine.depth <= line.depth && blockIsPartOfGroup(line);
    return opensGroup ? 1 : kept;
  }
  if (groups && line.is(Trait.COMMENT) && decorated !== undefined && decorated.depth === line.depth)
    return kept;
  return line.depth !== 0 ? 0 : 1;
}
