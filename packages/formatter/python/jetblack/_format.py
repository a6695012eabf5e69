"""Black's functions that format a text (`black.format_str` and its neighbours)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from jetblack._errors import NothingChanged
from jetblack._mode import Mode
from jetblack._service import ask

Lines = Collection[tuple[int, int]]


def format_str(src_contents: str, *, mode: Mode | None = None, lines: Lines = ()) -> str:
    """Format a source; the same text comes back when it is formatted already.

    The output is not checked for the meaning of the source; `format_file_contents` does that.

    `lines` are ranges to format, 1-based with both ends included; none means all.

    Raises `InvalidInput` for a source that cannot be parsed.
    """
    return ask("format_str", src_contents, mode or Mode(), fast=True, lines=lines)


def format_file_contents(
    src_contents: str, *, fast: bool = False, mode: Mode | None = None, lines: Lines = ()
) -> str:
    """Format a file's text and, unless `fast`, check that the output means the same and formats to itself.

    With `mode.is_ipynb` the text is a notebook's JSON.

    Raises `NothingChanged` when the text is formatted already, `InvalidInput` for one that cannot be parsed,
    `SourceASTParseError` for one that Python refuses, `ASTSafetyError` and `AssertionError` when the check fails.
    """
    return _changed(src_contents, ask("format_file_contents", src_contents, mode or Mode(), fast=fast, lines=lines))


def format_ipynb_string(src_contents: str, *, fast: bool = False, mode: Mode | None = None) -> str:
    """Format the code cells of a notebook, given as its JSON. Raises as `format_file_contents` does."""
    return format_file_contents(src_contents, fast=fast, mode=replace(mode or Mode(), is_ipynb=True))


def format_cell(src: str, *, fast: bool = False, mode: Mode | None = None) -> str:
    """Format the code of a notebook's cell, magics included.

    Raises `NothingChanged` when it is formatted already, is not Python, or holds a magic that cannot be kept.
    """
    return _changed(src, ask("format_cell", src, mode or Mode(), fast=fast))


def _changed(source: str, output: str) -> str:
    if output == source:
        raise NothingChanged
    return output
