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
export const FSTRING_START = 96;
export const FSTRING_MIDDLE = 97;
export const FSTRING_END = 98;
export const file_input = 99;
export const decorator = 100;
export const decorators = 101;
export const decorated = 102;
export const async_funcdef = 103;
export const funcdef = 104;
export const parameters = 105;
export const typedargslist = 106;
export const tname = 107;
export const tname_star = 108;
export const tfpdef = 109;
export const tfplist = 110;
export const varargslist = 111;
export const vname = 112;
export const vfpdef = 113;
export const vfplist = 114;
export const typevar = 115;
export const paramspec = 116;
export const typevartuple = 117;
export const typeparam = 118;
export const typeparams = 119;
export const simple_stmt = 120;
export const expr_stmt = 121;
export const annassign = 122;
export const testlist_star_expr = 123;
export const augassign = 124;
export const del_stmt = 125;
export const pass_stmt = 126;
export const break_stmt = 127;
export const continue_stmt = 128;
export const return_stmt = 129;
export const yield_stmt = 130;
export const raise_stmt = 131;
export const lazy_import = 132;
export const import_name = 133;
export const import_from = 134;
export const import_as_name = 135;
export const dotted_as_name = 136;
export const import_as_names = 137;
export const dotted_as_names = 138;
export const dotted_name = 139;
export const global_stmt = 140;
export const assert_stmt = 141;
export const type_stmt = 142;
export const async_stmt = 143;
export const if_stmt = 144;
export const while_stmt = 145;
export const for_stmt = 146;
export const try_stmt = 147;
export const with_stmt = 148;
export const except_clause = 149;
export const suite = 150;
export const testlist_safe = 151;
export const old_test = 152;
export const old_lambdef = 153;
export const namedexpr_test = 154;
export const asexpr_test = 155;
export const test = 156;
export const or_test = 157;
export const and_test = 158;
export const not_test = 159;
export const comparison = 160;
export const comp_op = 161;
export const star_expr = 162;
export const expr = 163;
export const xor_expr = 164;
export const and_expr = 165;
export const shift_expr = 166;
export const arith_expr = 167;
export const term = 168;
export const factor = 169;
export const power = 170;
export const atom = 171;
export const listmaker = 172;
export const testlist_gexp = 173;
export const lambdef = 174;
export const trailer = 175;
export const subscriptlist = 176;
export const subscript = 177;
export const sliceop = 178;
export const exprlist = 179;
export const testlist = 180;
export const dictsetmaker = 181;
export const classdef = 182;
export const arglist = 183;
export const argument = 184;
export const comp_for = 185;
export const comp_if = 186;
export const old_comp_for = 187;
export const old_comp_if = 188;
export const testlist1 = 189;
export const yield_expr = 190;
export const yield_arg = 191;
export const match_stmt = 192;
export const subject_expr = 193;
export const case_block = 194;
export const guard = 195;
export const patterns = 196;
export const pattern = 197;
export const fstring = 198;
export const fstring_replacement_field = 199;
