/** V8 keeps a literal of this many properties as a slow dictionary; `Kind` is a quick copy that a bundler does not fold back into the literal. */
const table = {
  ENDMARKER: 0,
  NEWLINE: 1,
  INDENT: 2,
  DEDENT: 3,
  NUMBER: 4,
  STRING: 5,
  STANDALONE_COMMENT: 6,
  COMMENT: 7,
  ASYNC: 8,
  AWAIT: 9,
  LAZY: 10,
  NAME: 11,
  KW_AND: 12,
  KW_AS: 13,
  KW_ASSERT: 14,
  KW_BREAK: 15,
  KW_CLASS: 16,
  KW_CONTINUE: 17,
  KW_DEF: 18,
  KW_DEL: 19,
  KW_ELIF: 20,
  KW_ELSE: 21,
  KW_EXCEPT: 22,
  KW_FINALLY: 23,
  KW_FOR: 24,
  KW_FROM: 25,
  KW_GLOBAL: 26,
  KW_IF: 27,
  KW_IMPORT: 28,
  KW_IN: 29,
  KW_IS: 30,
  KW_LAMBDA: 31,
  KW_NONLOCAL: 32,
  KW_NOT: 33,
  KW_OR: 34,
  KW_PASS: 35,
  KW_RAISE: 36,
  KW_RETURN: 37,
  KW_TRY: 38,
  KW_WHILE: 39,
  KW_WITH: 40,
  KW_YIELD: 41,
  KW_NONE: 42,
  KW_TRUE: 43,
  KW_FALSE: 44,
  KW_MATCH: 45,
  KW_CASE: 46,
  KW_TYPE: 47,
  LPAR: 48, // (
  LSQB: 49, // [
  LBRACE: 50, // {
  RPAR: 51, // )
  RSQB: 52, // ]
  RBRACE: 53, // }
  COLON: 54, // :
  COMMA: 55, // ,
  SEMI: 56, // ;
  PLUS: 57, // +
  MINUS: 58, // -
  STAR: 59, // *
  SLASH: 60, // /
  VBAR: 61, // |
  AMPER: 62, // &
  LESS: 63, // <
  GREATER: 64, // >
  EQUAL: 65, // =
  DOT: 66, // .
  PERCENT: 67, // %
  BACKQUOTE: 68, // `
  EQEQUAL: 69, // ==
  NOTEQUAL: 70, // !=
  LESSEQUAL: 71, // <=
  GREATEREQUAL: 72, // >=
  TILDE: 73, // ~
  CIRCUMFLEX: 74, // ^
  LEFTSHIFT: 75, // <<
  RIGHTSHIFT: 76, // >>
  DOUBLESTAR: 77, // **
  PLUSEQUAL: 78, // +=
  MINEQUAL: 79, // -=
  STAREQUAL: 80, // *=
  SLASHEQUAL: 81, // /=
  PERCENTEQUAL: 82, // %=
  AMPEREQUAL: 83, // &=
  VBAREQUAL: 84, // |=
  CIRCUMFLEXEQUAL: 85, // ^=
  LEFTSHIFTEQUAL: 86, // <<=
  RIGHTSHIFTEQUAL: 87, // >>=
  DOUBLESTAREQUAL: 88, // **=
  DOUBLESLASH: 89, // //
  DOUBLESLASHEQUAL: 90, // //=
  AT: 91, // @
  ATEQUAL: 92, // @=
  RARROW: 93, // ->
  COLONEQUAL: 94, // :=
  BANG: 95, // !
  file_input: 96,
  decorator: 97,
  decorators: 98,
  decorated: 99,
  async_funcdef: 100,
  funcdef: 101,
  parameters: 102,
  typedargslist: 103,
  tname: 104,
  tname_star: 105,
  tfpdef: 106,
  tfplist: 107,
  varargslist: 108,
  vname: 109,
  vfpdef: 110,
  vfplist: 111,
  typevar: 112,
  paramspec: 113,
  typevartuple: 114,
  typeparam: 115,
  typeparams: 116,
  simple_stmt: 117,
  expr_stmt: 118,
  annassign: 119,
  testlist_star_expr: 120,
  augassign: 121,
  del_stmt: 122,
  pass_stmt: 123,
  break_stmt: 124,
  continue_stmt: 125,
  return_stmt: 126,
  yield_stmt: 127,
  raise_stmt: 128,
  lazy_import: 129,
  import_name: 130,
  import_from: 131,
  import_as_name: 132,
  dotted_as_name: 133,
  import_as_names: 134,
  dotted_as_names: 135,
  dotted_name: 136,
  global_stmt: 137,
  assert_stmt: 138,
  type_stmt: 139,
  async_stmt: 140,
  if_stmt: 141,
  while_stmt: 142,
  for_stmt: 143,
  try_stmt: 144,
  with_stmt: 145,
  except_clause: 146,
  suite: 147,
  testlist_safe: 148,
  old_test: 149,
  old_lambdef: 150,
  namedexpr_test: 151,
  asexpr_test: 152,
  test: 153,
  or_test: 154,
  and_test: 155,
  not_test: 156,
  comparison: 157,
  comp_op: 158,
  star_expr: 159,
  expr: 160,
  xor_expr: 161,
  and_expr: 162,
  shift_expr: 163,
  arith_expr: 164,
  term: 165,
  factor: 166,
  power: 167,
  atom: 168,
  listmaker: 169,
  testlist_gexp: 170,
  lambdef: 171,
  trailer: 172,
  subscriptlist: 173,
  subscript: 174,
  sliceop: 175,
  exprlist: 176,
  testlist: 177,
  dictsetmaker: 178,
  classdef: 179,
  arglist: 180,
  argument: 181,
  comp_for: 182,
  comp_if: 183,
  old_comp_for: 184,
  old_comp_if: 185,
  testlist1: 186,
  yield_expr: 187,
  yield_arg: 188,
  match_stmt: 189,
  subject_expr: 190,
  case_block: 191,
  guard: 192,
  patterns: 193,
  pattern: 194,
} as const;

/**
 * Every kind of leaf and node in one numbering: leaves first, nodes from `FIRST_NODE` on.
 *
 * Names are those of blib2to3 (`pgen2/token.py`, `Grammar.txt`), so that a rule can be read beside Black's.
 * Two differences: each keyword has a kind of its own, contiguous with `NAME` (blib2to3 has one type NAME and
 * compares texts), and an f-string or t-string is one STRING leaf (Black's `visit_fstring` makes it one anyway).
 */
export const Kind: typeof table = Object.freeze({ ...Object.assign({}, table) });

/** A number from the `Kind` table. */
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Kinds from here on are nodes with children; those below are leaves. */
export const FIRST_NODE = Kind.file_input;

/** Whether the kind is what blib2to3 calls `token.NAME`: an identifier or a keyword. */
export function isNameKind(kind: number): boolean {
  return kind >= Kind.NAME && kind <= Kind.KW_TYPE;
}

/** Whether the kind is an opening bracket (`nodes.py` OPENING_BRACKETS). */
export function isOpeningBracket(kind: number): boolean {
  return kind >= Kind.LPAR && kind <= Kind.LBRACE;
}

/** Whether the kind is a closing bracket (`nodes.py` CLOSING_BRACKETS). */
export function isClosingBracket(kind: number): boolean {
  return kind >= Kind.RPAR && kind <= Kind.RBRACE;
}

/** The closing bracket that belongs to an opening one (`nodes.py` BRACKET). */
export function closingBracketOf(opening: number): number {
  return opening + (Kind.RPAR - Kind.LPAR);
}

/** Kind number to its name, for dumps and error messages. */
export const kindNames: readonly string[] = Object.keys(Kind);
