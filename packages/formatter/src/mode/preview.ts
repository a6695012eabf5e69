/**
 * Features of the preview style, one bit each (Black: `mode.py` Preview).
 * Adding one: a row here, and a test of `hasPreview` where the rule lives.
 */
export const Preview = {
  string_processing: 1 << 0,
  hug_parens_with_braces_and_square_brackets: 1 << 1,
  wrap_comprehension_in: 1 << 2,
  simplify_power_operator_hugging: 1 << 3,
  wrap_long_dict_values_in_parens: 1 << 4,
  fix_if_guard_explosion_in_case_statement: 1 << 5,
  pyi_overload_group_blank_lines: 1 << 6,
  fix_unnecessary_parens_in_indexed_assignment: 1 << 7,
  pyi_blank_line_before_decorated_class: 1 << 8,
  pyi_blank_line_after_function_docstring: 1 << 9,
  hug_comparator: 1 << 10,
  parenthesize_tuple_in_yield: 1 << 11,
  fmt_off_class_blank_lines: 1 << 12,
  remove_redundant_generator_parentheses: 1 << 13,
  normalize_tstring_prefix: 1 << 14,
  remove_redundant_unpacking_parentheses: 1 << 15,
  fix_magic_trailing_comma_trailer_split: 1 << 16,
  keep_dict_keys_with_operators: 1 << 17,
  blank_line_after_stub_method: 1 << 18,
  keep_commented_expressions_together: 1 << 19,
  avoid_parens_for_unbreakable_rhs_in_assignments: 1 << 20,
  parenthesize_expressions_with_comments: 1 << 21,
  keep_trailers_on_bracket_comment_overflow: 1 << 22,
} as const;

/** The name of a preview feature, as `--enable-unstable-feature` takes it. */
export type PreviewFeature = keyof typeof Preview;

const ALL = (1 << 23) - 1;

/** Not part of `--preview`: only `--unstable` or an explicit request enables these (Black: UNSTABLE_FEATURES). */
const UNSTABLE = Preview.string_processing | Preview.hug_parens_with_braces_and_square_brackets;

/** The set of enabled features as bits (Black: `Mode.__contains__`). */
export function previewBits(preview: boolean, unstable: boolean, enabled: readonly PreviewFeature[]): number {
  if (unstable) return ALL;
  let bits = preview ? ALL & ~UNSTABLE : 0;
  for (const name of enabled) bits |= Preview[name];
  return bits;
}
