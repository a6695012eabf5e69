/** The table from kind to rule (`linegen.py`: the `visit_*` names and `LineGenerator.__post_init__`). */
import { augmentedAssignments } from "../../parse/first-sets.ts";
import { kindSet } from "../../syntax/kind-set.ts";
import { Kind } from "../../syntax/kinds.ts";
import { prepareTypedName, visitAsync, visitDecorators, visitFunctionDefinition } from "./definitions.ts";
import { prepareCompFor, prepareDictSetMaker, prepareYield } from "./displays.ts";
import { prepareAtom, prepareFactor, preparePower, prepareTest } from "./expressions.ts";
import { visitDedent, visitEndmarker, visitIndent, visitSemicolon } from "./layout-leaves.ts";
import { prepareNumber, prepareString } from "./literals.ts";
import { visitStandaloneComment } from "./standalone-comment.ts";
import {
  prepareOperands,
  statement,
  visitMatchOrCase,
  visitSimpleStatement,
  visitSuite,
} from "./statements.ts";
import type { Visitor } from "./visitor.ts";

type Table = (Visitor | undefined)[];

function table(entries: readonly (readonly [number, Visitor])[]): Table {
  const rules: Table = new Array(256).fill(undefined);
  for (const [kind, visitor] of entries) rules[kind] = visitor;
  return rules;
}

const assignmentOperators = kindSet([Kind.EQUAL, Kind.COLON], augmentedAssignments);

/** Rules that visit the children themselves: statements and the leaves that end lines. */
const control = table([
  [Kind.INDENT, visitIndent],
  [Kind.DEDENT, visitDedent],
  [Kind.SEMI, visitSemicolon],
  [Kind.ENDMARKER, visitEndmarker],
  [Kind.STANDALONE_COMMENT, visitStandaloneComment],
  [Kind.suite, visitSuite],
  [Kind.simple_stmt, visitSimpleStatement],
  [Kind.async_stmt, visitAsync],
  [Kind.async_funcdef, visitAsync],
  [Kind.decorators, visitDecorators],
  [Kind.decorated, visitDecorators],
  [Kind.funcdef, visitFunctionDefinition],
  [Kind.match_stmt, visitMatchOrCase],
  [Kind.case_block, visitMatchOrCase],
  [Kind.assert_stmt, statement([Kind.KW_ASSERT], [Kind.KW_ASSERT, Kind.COMMA])],
  [Kind.if_stmt, statement([Kind.KW_IF, Kind.KW_ELSE, Kind.KW_ELIF], [Kind.KW_IF, Kind.KW_ELIF])],
  [Kind.while_stmt, statement([Kind.KW_WHILE, Kind.KW_ELSE], [Kind.KW_WHILE])],
  [Kind.for_stmt, statement([Kind.KW_FOR, Kind.KW_ELSE], [Kind.KW_FOR, Kind.KW_IN])],
  [Kind.try_stmt, statement([Kind.KW_TRY, Kind.KW_EXCEPT, Kind.KW_ELSE, Kind.KW_FINALLY], [])],
  [Kind.except_clause, statement([Kind.KW_EXCEPT], [Kind.KW_EXCEPT])],
  [Kind.with_stmt, statement([Kind.KW_WITH], [Kind.KW_WITH])],
  [Kind.classdef, statement([Kind.KW_CLASS], [])],
  [Kind.return_stmt, statement([Kind.KW_RETURN], [Kind.KW_RETURN])],
]);

/** Rules that change a leaf or node before it is visited like any other. */
const prepare = table([
  [Kind.STRING, prepareString],
  [Kind.NUMBER, prepareNumber],
  [Kind.expr_stmt, prepareOperands(assignmentOperators)],
  [Kind.import_from, prepareOperands(kindSet([Kind.KW_IMPORT]))],
  [Kind.del_stmt, prepareOperands(kindSet([Kind.KW_DEL]))],
  [Kind.guard, prepareOperands(kindSet([Kind.KW_IF]))],
  [Kind.yield_expr, prepareYield],
  [Kind.test, prepareTest],
  [Kind.power, preparePower],
  [Kind.factor, prepareFactor],
  [Kind.atom, prepareAtom],
  [Kind.tname, prepareTypedName],
  [Kind.dictsetmaker, prepareDictSetMaker],
  [Kind.comp_for, prepareCompFor],
  [Kind.old_comp_for, prepareCompFor],
]);

export const visitors = { control, prepare } as const;
