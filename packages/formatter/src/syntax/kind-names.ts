import { lazy } from "../util/lazy.ts";

/**
 * The members of `Kind` in their order, as text: an object with all of them, which each start would have to make, is what
 * a bundler puts in place of the numbers themselves wherever `Kind` is more than the part before a dot.
 */
const NAMES = `
ENDMARKER NEWLINE INDENT DEDENT NUMBER STRING STANDALONE_COMMENT COMMENT ASYNC AWAIT LAZY NAME KW_AND
KW_AS KW_ASSERT KW_BREAK KW_CLASS KW_CONTINUE KW_DEF KW_DEL KW_ELIF KW_ELSE KW_EXCEPT KW_FINALLY KW_FOR
KW_FROM KW_GLOBAL KW_IF KW_IMPORT KW_IN KW_IS KW_LAMBDA KW_NONLOCAL KW_NOT KW_OR KW_PASS KW_RAISE
KW_RETURN KW_TRY KW_WHILE KW_WITH KW_YIELD KW_NONE KW_TRUE KW_FALSE KW_MATCH KW_CASE KW_TYPE LPAR LSQB
LBRACE RPAR RSQB RBRACE COLON COMMA SEMI PLUS MINUS STAR SLASH VBAR AMPER LESS GREATER EQUAL DOT PERCENT
BACKQUOTE EQEQUAL NOTEQUAL LESSEQUAL GREATEREQUAL TILDE CIRCUMFLEX LEFTSHIFT RIGHTSHIFT DOUBLESTAR
PLUSEQUAL MINEQUAL STAREQUAL SLASHEQUAL PERCENTEQUAL AMPEREQUAL VBAREQUAL CIRCUMFLEXEQUAL LEFTSHIFTEQUAL
RIGHTSHIFTEQUAL DOUBLESTAREQUAL DOUBLESLASH DOUBLESLASHEQUAL AT ATEQUAL RARROW COLONEQUAL BANG
FSTRING_START FSTRING_MIDDLE FSTRING_END file_input decorator decorators decorated async_funcdef funcdef
parameters typedargslist tname tname_star tfpdef tfplist varargslist vname vfpdef vfplist typevar
paramspec typevartuple typeparam typeparams simple_stmt expr_stmt annassign testlist_star_expr augassign
del_stmt pass_stmt break_stmt continue_stmt return_stmt yield_stmt raise_stmt lazy_import import_name
import_from import_as_name dotted_as_name import_as_names dotted_as_names dotted_name global_stmt
assert_stmt type_stmt async_stmt if_stmt while_stmt for_stmt try_stmt with_stmt except_clause suite
testlist_safe old_test old_lambdef namedexpr_test asexpr_test test or_test and_test not_test comparison
comp_op star_expr expr xor_expr and_expr shift_expr arith_expr term factor power atom listmaker
testlist_gexp lambdef trailer subscriptlist subscript sliceop exprlist testlist dictsetmaker classdef
arglist argument comp_for comp_if old_comp_for old_comp_if testlist1 yield_expr yield_arg match_stmt
subject_expr case_block guard patterns pattern fstring fstring_replacement_field
`;

const names = lazy(() => NAMES.trim().split(/\s/));

/** The kind's name, for dumps and messages; `undefined` for what is no kind. */
export function kindName(kind: number): string | undefined {
  return names()[kind];
}
