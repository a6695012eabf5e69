/** Python versions that an output can be aimed at, oldest first (Black: `mode.py` TargetVersion). */
export const targetVersions = [
  "py33",
  "py34",
  "py35",
  "py36",
  "py37",
  "py38",
  "py39",
  "py310",
  "py311",
  "py312",
  "py313",
  "py314",
  "py315",
] as const;

export type TargetVersion = (typeof targetVersions)[number];

/** Syntax that only some versions know, one bit each (Black: `mode.py` Feature). */
export const Feature = {
  F_STRINGS: 1 << 0,
  NUMERIC_UNDERSCORES: 1 << 1,
  TRAILING_COMMA_IN_CALL: 1 << 2,
  TRAILING_COMMA_IN_DEF: 1 << 3,
  ASYNC_IDENTIFIERS: 1 << 4,
  ASYNC_KEYWORDS: 1 << 5,
  ASSIGNMENT_EXPRESSIONS: 1 << 6,
  POS_ONLY_ARGUMENTS: 1 << 7,
  RELAXED_DECORATORS: 1 << 8,
  PATTERN_MATCHING: 1 << 9,
  UNPACKING_ON_FLOW: 1 << 10,
  ANN_ASSIGN_EXTENDED_RHS: 1 << 11,
  EXCEPT_STAR: 1 << 12,
  VARIADIC_GENERICS: 1 << 13,
  DEBUG_F_STRINGS: 1 << 14,
  PARENTHESIZED_CONTEXT_MANAGERS: 1 << 15,
  TYPE_PARAMS: 1 << 16,
  TYPE_PARAM_DEFAULTS: 1 << 17,
  UNPARENTHESIZED_EXCEPT_TYPES: 1 << 18,
  T_STRINGS: 1 << 19,
  LAZY_IMPORTS: 1 << 20,
  UNPACKING_IN_COMPREHENSIONS: 1 << 21,
  FUTURE_ANNOTATIONS: 1 << 22,
  /** Not syntax: a request to the right-hand split to show optional parentheses. */
  FORCE_OPTIONAL_PARENTHESES: 1 << 23,
} as const;

const f = Feature;
const PY35 = f.TRAILING_COMMA_IN_CALL;
const PY36 = PY35 | f.F_STRINGS | f.NUMERIC_UNDERSCORES | f.TRAILING_COMMA_IN_DEF;
const PY37 = PY36 | f.FUTURE_ANNOTATIONS;
const PY38 =
  PY37 |
  f.DEBUG_F_STRINGS |
  f.ASSIGNMENT_EXPRESSIONS |
  f.POS_ONLY_ARGUMENTS |
  f.UNPACKING_ON_FLOW |
  f.ANN_ASSIGN_EXTENDED_RHS;
const PY39 = PY38 | f.RELAXED_DECORATORS | f.PARENTHESIZED_CONTEXT_MANAGERS;
const PY310 = PY39 | f.PATTERN_MATCHING;
const PY311 = PY310 | f.EXCEPT_STAR | f.VARIADIC_GENERICS;
const PY312 = PY311 | f.TYPE_PARAMS;
const PY313 = PY312 | f.TYPE_PARAM_DEFAULTS;
const PY314 = PY313 | f.UNPARENTHESIZED_EXCEPT_TYPES | f.T_STRINGS;
const PY315 = PY314 | f.LAZY_IMPORTS | f.UNPACKING_IN_COMPREHENSIONS;

/** What each version understands, as bits (Black: `mode.py` VERSION_TO_FEATURES). */
export const versionFeatures: Readonly<Record<TargetVersion, number>> = {
  py33: f.ASYNC_IDENTIFIERS,
  py34: f.ASYNC_IDENTIFIERS,
  py35: PY35 | f.ASYNC_IDENTIFIERS,
  py36: PY36 | f.ASYNC_IDENTIFIERS,
  py37: PY37 | f.ASYNC_KEYWORDS,
  py38: PY38 | f.ASYNC_KEYWORDS,
  py39: PY39 | f.ASYNC_KEYWORDS,
  py310: PY310 | f.ASYNC_KEYWORDS,
  py311: PY311 | f.ASYNC_KEYWORDS,
  py312: PY312 | f.ASYNC_KEYWORDS,
  py313: PY313 | f.ASYNC_KEYWORDS,
  py314: PY314 | f.ASYNC_KEYWORDS,
  py315: PY315 | f.ASYNC_KEYWORDS,
};

/** Features that every one of the versions has, as bits (Black: `supports_feature` for each). */
export function commonFeatures(versions: readonly TargetVersion[]): number {
  let bits = -1;
  for (const version of versions) bits &= versionFeatures[version];
  return bits;
}
