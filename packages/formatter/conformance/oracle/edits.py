"""Statements of real modules, and random edits of any source."""

import ast
import io
import random
import tokenize
import warnings
from pathlib import Path

import black

warnings.simplefilter("ignore")

COMMENTS = [
    "# c",
    "#c",
    "#!c",
    "#",
    "# type: ignore",
    "# type: int",
    "# type: ignore[x]",
    "# c \\",
    "#: c",
    "# yapf: disable",
    "# yapf: enable",
    "# fmt:skip",
    "# fmt: skip # c",
    "# c # fmt: skip",
    "# pylint: disable=x",
    "#!/usr/bin/env python",
    "# noqa",
    "# fmt: skip",
    "# fmt: off",
    "# fmt: on",
    "# a comment that goes on for so long that it ends behind the last column of any line it may stand on",
]
EXPRESSIONS = [
    "a",
    "self.b.c",
    "a_name_that_is_so_long_that_few_others_fit_beside_it",
    "f(a, *b, c=d, **e)",
    "a[b:c, d]",
    "(a)",
    "((a))",
    "(a, b)",
    "(a,)",
    "()",
    "[a, b,]",
    "{a: b, **c}",
    "[a for b in c if d]",
    "(a := b)",
    "(yield)",
    "(await a)",
    "lambda a, *b: c",
    "not a",
    "-a ** -b",
    "a if b else c",
    "a and b or c",
    "a in b not in c",
    "*a",
    "'text'",
    '"it\'s"',
    "f'{a!r:>{b}}'",
    "f\"{a['k']}\"",
    "f'{a.b}'",
    "rb'x'",
    "U'x'",
    "'a' 'b'",
    "t'{a}'",
    "'''\na\n'''",
    "0XABC",
    "1_0E5J",
    "...",
    "None",
    "print(* a)",
    "a.b(c).d(e).f",
    "match",
    "type",
    "case",
]
STARTS = [
    "return ",
    "del ",
    "assert ",
    "raise ",
    "yield ",
    "await ",
    "not ",
    "lambda: ",
    "x = ",
    "x: int = ",
    "x += ",
    "for x in ",
    "with ",
    "if ",
    "while ",
    "async ",
    "@",
    "del (",
    "return (",
    "type X = ",
    "match ",
    "case ",
    "in ",
    "*",
    "-",
]
HEADERS = [
    "if x:",
    "class A:",
    "def f():",
    "async def f(a, b,) -> c:",
    "with a as b, c:",
    "for x in (1, 2):",
    "while (yield):",
    "match x:\n    case [a, *b] if c:",
    "try:\n    pass\nexcept (A, B):",
    "else:",
]
WRAPPERS = [
    ("(", ")"),
    ("(", ",)"),
    ("[", "]"),
    ("f(", ")"),
    ("{", "}"),
    ("(not ", ")"),
    ("await (", ")"),
    ("( # c\n", ")"),
    ("(", "# c\n)"),
]


def statements(folder: Path, choose: random.Random) -> list[str]:
    """Statements of up to 40 lines, with those nested in longer ones."""
    found: list[str] = []

    def take(body: list[ast.stmt], lines: list[str]) -> None:
        for node in body:
            segment = lines[node.lineno - 1 : node.end_lineno]
            indent = node.col_offset
            if len(segment) <= 40 and not any(line[:indent].strip() for line in segment):
                found.append("".join(line[indent:] if line.strip() else "\n" for line in segment))
            elif isinstance(getattr(node, "body", None), list):
                take(node.body, lines)

    paths = sorted(folder.rglob("*.py"))
    for path in choose.sample(paths, min(150, len(paths))):
        try:
            text = path.read_text("utf-8")
            if "coding" not in text[:200] and "\r" not in text:
                take(ast.parse(text).body, text.splitlines(keepends=True))
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
    return found


def spans(source: str) -> list[tuple[str, int, int]]:
    """Text, start and end of each token that is not white space."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.string.strip():
                (first, left), (last, right) = token.start, token.end
                found.append((token.string, starts[first - 1] + left, starts[last - 1] + right))
    except (tokenize.TokenError, SyntaxError, SystemError, MemoryError):
        pass
    return found


def edit(source: str, choose: random.Random) -> str:
    """One change, which may leave no Python."""
    tokens = spans(source)
    if not tokens:
        return source
    text, start, end = choose.choice(tokens)
    before, after = source[:start], source[end:]
    kind = choose.randrange(12)
    if kind == 0:
        return (
            before
            + text
            + choose.choice(["", " ", "  "])
            + choose.choice(COMMENTS)
            + "\n"
            + " " * choose.choice([0, 4, 8])
            + after
        )
    if kind == 1:
        line = source.rfind("\n", 0, start) + 1
        return (
            source[:line]
            + choose.choice(["", "    ", "        "])
            + choose.choice(COMMENTS)
            + "\n"
            + source[line:]
        )
    if kind == 2:
        return before + text + choose.choice(["\n", " \\\n", "", "  ", "\n\n\n"]) + after
    if kind == 3:
        return before + ("," + text if text in ")]}" else "" if text == "," else text + ",") + after
    if kind == 4:
        opening, closing = choose.choice(WRAPPERS)
        return before + opening + text + closing + after
    if kind in (5, 6):
        return before + choose.choice(EXPRESSIONS) + after
    if kind == 7:
        return before + choose.choice(STARTS) + text + after
    if kind == 8:
        return before + after
    if kind == 9:
        return (
            choose.choice(HEADERS)
            + "\n"
            + "".join(f"        {line}" for line in source.splitlines(keepends=True))
        )
    if kind == 10:
        return source.replace(
            choose.choice([":\n    ", "\n\n", ",\n"]),
            choose.choice([": ", "\n", ", "]),
            1,
        )
    return (
        before
        + text
        + choose.choice([" + ", " ** ", " or ", " if a else ", ", ", ".", " in ", " for a in ", ":"])
        + choose.choice(EXPRESSIONS)
        + after
    )


def is_python(source: str, choose: random.Random) -> bool:
    """Whether Python takes the source, or Black, which is asked only now and then: its refusals take long."""
    try:
        ast.parse(source)
        return True
    except Exception:
        if choose.random() < 0.75:
            return False
    try:
        black.lib2to3_parse(source.lstrip())
    except Exception:
        return False
    return True
