/**
 * The members of `Kind`. Constants of their own, and not properties of one object, so that the bundler writes the numbers
 * themselves wherever a kind is named: V8 then has no loads to learn about, and makes jump tables of `switch`.
 */
export const ENDMARKER = 0;
export const NEWLINE = 1;
export const INDENT = 2;
export const DEDENT = 3;
export const NUMBER = 4;
export const STRING = 5;
export const STANDALONE_COMMENT = 6;
export const COMMENT = 7;
export const ASYNC = 8;
export const AWAIT = 9;
export const LAZY = 10;
export const NAME = 11;
export const KW_AND = 12;
export const KW_AS = 13;
export const KW_ASSERT = 14;
export const KW_BREAK = 15;
export const KW_CLASS = 16;
export const KW_CONTINUE = 17;
export const KW_DEF = 18;
export const KW_DEL = 19;
export const KW_ELIF = 20;
export const KW_ELSE = 21;
export const KW_EXCEPT = 22;
export const KW_FINALLY = 23;
export const KW_FOR = 24;
export const KW_FROM = 25;
export const KW_GLOBAL = 26;
export const KW_IF = 27;
export const KW_IMPORT = 28;
export const KW_IN = 29;
export const KW_IS = 30;
export const KW_LAMBDA = 31;
export const KW_NONLOCAL = 32;
export const KW_NOT = 33;
export const KW_OR = 34;
export const KW_PASS = 35;
export const KW_RAISE = 36;
export const KW_RETURN = 37;
export const KW_TRY = 38;
export const KW_WHILE = 39;
export const KW_WITH = 40;
export const KW_YIELD = 41;
export const KW_NONE = 42;
export const KW_TRUE = 43;
export const KW_FALSE = 44;
export const KW_MATCH = 45;
export const KW_CASE = 46;
export const KW_TYPE = 47;
export const LPAR = 48; // (
export const LSQB = 49; // [
export const LBRACE = 50; // {
export const RPAR = 51; // )
export const RSQB = 52; // ]
export const RBRACE = 53; // }
export const COLON = 54; // :
export const COMMA = 55; // ,
export const SEMI = 56; // ;
export const PLUS = 57; // +
export const MINUS = 58; // -
export const STAR = 59; // *
export const SLASH = 60; // /
export const VBAR = 61; // |
export const AMPER = 62; // &
export const LESS = 63; // <
export const GREATER = 64; // >
export const EQUAL = 65; // =
export const DOT = 66; // .
export const PERCENT = 67; // %
export const BACKQUOTE = 68; // `
export const EQEQUAL = 69; // ==
export const NOTEQUAL = 70; // !=
export const LESSEQUAL = 71; // <=
export const GREATEREQUAL = 72; // >=
export const TILDE = 73; // ~
export const CIRCUMFLEX = 74; // ^
export const LEFTSHIFT = 75; // <<
export const RIGHTSHIFT = 76; // >>
export const DOUBLESTAR = 77; // **
export const PLUSEQUAL = 78; // +=
export const MINEQUAL = 79; // -=
export const STAREQUAL = 80; // *=
export const SLASHEQUAL = 81; // /=
export const PERCENTEQUAL = 82; // %=
export const AMPEREQUAL = 83; // &=
export const VBAREQUAL = 84; // |=
export const CIRCUMFLEXEQUAL = 85; // ^=
export const LEFTSHIFTEQUAL = 86; // <<=
export const RIGHTSHIFTEQUAL = 87; // >>=
export const DOUBLESTAREQUAL = 88; // **=
export const DOUBLESLASH = 89; // //
export const DOUBLESLASHEQUAL = 90; // //=
export const AT = 91; // @
export const ATEQUAL = 92; // @=
export const RARROW = 93; // ->
export const COLONEQUAL = 94; // :=
export const BANG = 95; // !
export const file_input = 96;
export const decorator = 97;
export const decorators = 98;
export const decorated = 99;
export const async_funcdef = 100;
export const funcdef = 101;
export const parameters = 102;
export const typedargslist = 103;
export const tname = 104;
export const tname_star = 105;
export const tfpdef = 106;
export const tfplist = 107;
export const varargslist = 108;
export const vname = 109;
export const vfpdef = 110;
export const vfplist = 111;
export const typevar = 112;
export const paramspec = 113;
export const typevartuple = 114;
export const typeparam = 115;
export const typeparams = 116;
export const simple_stmt = 117;
export const expr_stmt = 118;
export const annassign = 119;
export const testlist_star_expr = 120;
export const augassign = 121;
export const del_stmt = 122;
export const pass_stmt = 123;
export const break_stmt = 124;
export const continue_stmt = 125;
export const return_stmt = 126;
export const yield_stmt = 127;
export const raise_stmt = 128;
export const lazy_import = 129;
export const import_name = 130;
export const import_from = 131;
export const import_as_name = 132;
export const dotted_as_name = 133;
export const import_as_names = 134;
export const dotted_as_names = 135;
export const dotted_name = 136;
export const global_stmt = 137;
export const assert_stmt = 138;
export const type_stmt = 139;
export const async_stmt = 140;
export const if_stmt = 141;
export const while_stmt = 142;
export const for_stmt = 143;
export const try_stmt = 144;
export const with_stmt = 145;
export const except_clause = 146;
export const suite = 147;
export const testlist_safe = 148;
export const old_test = 149;
export const old_lambdef = 150;
export const namedexpr_test = 151;
export const asexpr_test = 152;
export const test = 153;
export const or_test = 154;
export const and_test = 155;
export const not_test = 156;
export const comparison = 157;
export const comp_op = 158;
export const star_expr = 159;
export const expr = 160;
export const xor_expr = 161;
export const and_expr = 162;
export const shift_expr = 163;
export const arith_expr = 164;
export const term = 165;
export const factor = 166;
export const power = 167;
export const atom = 168;
export const listmaker = 169;
export const testlist_gexp = 170;
export const lambdef = 171;
export const trailer = 172;
export const subscriptlist = 173;
export const subscript = 174;
export const sliceop = 175;
export const exprlist = 176;
export const testlist = 177;
export const dictsetmaker = 178;
export const classdef = 179;
export const arglist = 180;
export const argument = 181;
export const comp_for = 182;
export const comp_if = 183;
export const old_comp_for = 184;
export const old_comp_if = 185;
export const testlist1 = 186;
export const yield_expr = 187;
export const yield_arg = 188;
export const match_stmt = 189;
export const subject_expr = 190;
export const case_block = 191;
export const guard = 192;
export const patterns = 193;
export const pattern = 194;
