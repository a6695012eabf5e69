"""Black's `Mode` and what it consists of (`black.mode`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto


class TargetVersion(Enum):
    """Python versions that the output can be aimed at."""

    PY33 = 3
    PY34 = 4
    PY35 = 5
    PY36 = 6
    PY37 = 7
    PY38 = 8
    PY39 = 9
    PY310 = 10
    PY311 = 11
    PY312 = 12
    PY313 = 13
    PY314 = 14
    PY315 = 15

    def pretty(self) -> str:
        return f"Python {self.name[2]}.{self.name[3:]}"


class Preview(Enum):
    """Features of the preview style."""

    string_processing = auto()
    hug_parens_with_braces_and_square_brackets = auto()
    wrap_comprehension_in = auto()
    simplify_power_operator_hugging = auto()
    wrap_long_dict_values_in_parens = auto()
    fix_if_guard_explosion_in_case_statement = auto()
    pyi_overload_group_blank_lines = auto()
    fix_unnecessary_parens_in_indexed_assignment = auto()
    pyi_blank_line_before_decorated_class = auto()
    pyi_blank_line_after_function_docstring = auto()
    hug_comparator = auto()
    parenthesize_tuple_in_yield = auto()
    fmt_off_class_blank_lines = auto()
    remove_redundant_generator_parentheses = auto()
    normalize_tstring_prefix = auto()
    remove_redundant_unpacking_parentheses = auto()
    fix_magic_trailing_comma_trailer_split = auto()
    keep_dict_keys_with_operators = auto()
    blank_line_after_stub_method = auto()
    keep_commented_expressions_together = auto()
    avoid_parens_for_unbreakable_rhs_in_assignments = auto()
    parenthesize_expressions_with_comments = auto()
    keep_trailers_on_bracket_comment_overflow = auto()


@dataclass
class Mode:
    """How a source is to be formatted; the defaults are Black's."""

    target_versions: set[TargetVersion] = field(default_factory=set)
    line_length: int = 88
    string_normalization: bool = True
    is_pyi: bool = False
    is_ipynb: bool = False
    #: Without effect here, as in Black: only who reads files leaves a line out.
    skip_source_first_line: bool = False
    magic_trailing_comma: bool = True
    python_cell_magics: set[str] = field(default_factory=set)
    preview: bool = False
    unstable: bool = False
    enabled_features: set[Preview] = field(default_factory=set)

    def __hash__(self) -> int:
        return hash(
            (
                frozenset(self.target_versions),
                self.line_length,
                self.string_normalization,
                self.is_pyi,
                self.is_ipynb,
                self.skip_source_first_line,
                self.magic_trailing_comma,
                frozenset(self.python_cell_magics),
                self.preview,
                self.unstable,
                frozenset(self.enabled_features),
            )
        )


FileMode = Mode
