"""The functions beside Black's: same results, same exceptions with the same attributes.

`JETBLACK_DATA` names the folder with `cases-dev.json`, cases of Black's own tests.
"""

from __future__ import annotations

import json
import os
import sys
import unittest
from collections.abc import Callable
from typing import Any

import black
import jetblack
from black.parsing import ASTSafetyError, InvalidInput, SourceASTParseError
from black.report import NothingChanged

SOURCES = [
    "",
    "\n",
    "  \n\n",
    "\\\n",
    "x = 1\n",
    "x = 1",
    "x='a'\r\ny=1\n",
    "x='a'\ry=1\n",
    "\r\n\r\n",
    "\x0c\n",
    "\ufeffx='a'\n",
    "#!/usr/bin/python\nx='a'",
    "x = (\n",
    "x = $\n",
    "if x:\npass\n",
    "print 'a'\n",
    "f() = 1\n",
    "match x:\n  case 1: pass\n",
    "async def f():\n  await = 1\n",
    "x = 'a\n",
    "with (open(a)) as f, open(b) as g: pass\n",
    "return (yield x)\n",
    "if a:\n  def f(): return not(1)\n  x = {'a':1,'b':2}\n",
]

CELLS = ["", "x='a'", "x='a';", "%time x='a'", "!ls\nx='a'", "%%bash\nx='a'", "%%time\nx='a'", "f() =", "x = 1", "?x"]

NOTEBOOK = {
    "cells": [{"cell_type": "code", "source": ["x='a'\n", "%time y"], "metadata": {}, "outputs": []}],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def outcome(call: Callable[[], str], module: Any) -> tuple[Any, ...]:
    """The result, or the exception by name and attributes; what names files of evidence is left out."""
    try:
        return ("output", call())
    except NothingChanged if module is black else jetblack.NothingChanged:
        return ("NothingChanged",)
    except InvalidInput if module is black else jetblack.InvalidInput as error:
        return ("InvalidInput", str(error), error.args, error.lineno, error.column, error.context, error.details)
    except SourceASTParseError if module is black else jetblack.SourceASTParseError as error:
        return ("SourceASTParseError", str(error).splitlines()[0])
    except ASTSafetyError if module is black else jetblack.ASTSafetyError:
        return ("ASTSafetyError",)
    except (AssertionError, ValueError) as error:
        return (AssertionError.__name__ if isinstance(error, AssertionError) else ValueError.__name__,)


def is_newer(version: str | None) -> bool:
    """Whether a source is written for a newer Python than this one."""
    return version is not None and sys.version_info < tuple(map(int, version.split(".")))


def modes(module: Any) -> list[Any]:
    versions = module.TargetVersion
    return [
        module.Mode(),
        module.Mode(line_length=40, preview=True),
        module.Mode(string_normalization=False, magic_trailing_comma=False, unstable=True),
        module.Mode(is_pyi=True, target_versions={versions.PY38}),
        module.Mode(target_versions={versions.PY312, versions.PY314}, skip_source_first_line=True),
        module.Mode(enabled_features={(module.Preview if module is jetblack else black.mode.Preview).string_processing}),
        module.Mode(is_ipynb=True, python_cell_magics={"custom"}),
    ]


class BesideBlack(unittest.TestCase):
    maxDiff = None

    def compare(self, what: str, call: Callable[[Any, Any], str]) -> None:
        for of_black, ours in zip(modes(black), modes(jetblack)):
            with self.subTest(what=what, mode=str(ours)):
                expected = outcome(lambda: call(black, of_black), black)
                self.assertEqual(outcome(lambda: call(jetblack, ours), jetblack), expected)

    def test_small_sources(self) -> None:
        for source in SOURCES:
            self.compare(f"format_str {source!r}", lambda module, mode: module.format_str(source, mode=mode))
            for fast in (True, False):
                self.compare(
                    f"format_file_contents {source!r} {fast=}",
                    lambda module, mode: module.format_file_contents(source, fast=fast, mode=mode),
                )

    def test_lines(self) -> None:
        source = "x='a'\ny='b'\n\n\nz='c'\n"
        for lines in ([(1, 1)], [(2, 5)], [(3, 3), (5, 5)], [(7, 9)], [(4, 2)]):
            self.compare(f"{lines}", lambda module, mode: module.format_str(source, mode=mode, lines=lines))

    def test_cells(self) -> None:
        for source in CELLS:
            for fast in (True, False):
                self.compare(repr(source), lambda module, mode: module.format_cell(source, fast=fast, mode=mode))

    def test_notebooks(self) -> None:
        texts = [json.dumps(NOTEBOOK), json.dumps(NOTEBOOK) + "\n", "", "{", '{"cells": []}']
        for text in texts:
            self.compare(text, lambda module, mode: module.format_ipynb_string(text, fast=False, mode=mode))

    def test_blacks_own_mode_does_as_well(self) -> None:
        source = "x = ['a','b',]\n"
        for mode in modes(black)[:-1]:
            self.assertEqual(jetblack.format_str(source, mode=mode), black.format_str(source, mode=mode))

    def test_cases_of_black(self) -> None:
        folder = os.environ.get("JETBLACK_DATA")
        if folder is None:
            self.skipTest("needs the folder of cases-dev.json in JETBLACK_DATA")
        with open(os.path.join(folder, "cases-dev.json"), encoding="utf-8") as file:
            cases = json.load(file)
        for case in cases:
            asked = dict(case["mode"])

            def call(module: Any, _: Any) -> str:
                mode = module.Mode(
                    line_length=asked["line_length"],
                    target_versions={module.TargetVersion[name.upper()] for name in asked["target_versions"]},
                    is_pyi=asked["pyi"],
                    string_normalization=asked["string_normalization"],
                    magic_trailing_comma=asked["magic_trailing_comma"],
                    preview=asked["preview"],
                    unstable=asked["unstable"],
                )
                lines = [tuple(pair) for pair in case["line_ranges"]]
                # Black's safety check is that of the Python that runs it, ours that of the newest.
                fast = case["fast"] or is_newer(case["minimum_version"])
                return module.format_file_contents(case["input"], fast=fast, mode=mode, lines=lines)

            with self.subTest(case=case["name"]):
                expected = outcome(lambda: call(black, None), black)
                self.assertEqual(outcome(lambda: call(jetblack, None), jetblack), expected)


if __name__ == "__main__":
    unittest.main()
