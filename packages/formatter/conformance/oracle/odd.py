"""Statements with expressions where they may not stand: Black's grammar takes much that Python's parser refuses."""

import random
import re

NAMES = ["a", "b", "aaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbb", "c.d", "x"]
LITERALS = (
    "1 's' None True ... 1. 0x1F b'x' f'{a}' () [] {} 0777 1__0 1if 1_000 0_7 00 1e5 1J 1L 0xg é ℘ €"
    " u'x' ur'x' b'é' '\\x' '\\N{' '\\u12' r'\\u' b'\\u' '\\777' '\\U00110000' `a`"
).split() + ["'a' 'b'", "'a' b'b'", "f'a' 'b'", ". . ."]
# `{0}` and `{1}` may be starred, `{2}` hardly ever is.
EXPRESSIONS = [
    "({0})",
    "({0},)",
    "({0}, {1})",
    "[{0}]",
    "[{0}, {1},]",
    "{{{0},}}",
    "{{{2}: {2}, **{2}}}",
    "f({3}, {3})",
    "f({3}, {3}, {3},)",
    "{2}[{0}, {1}:{2}]",
    "{2}[{0} := {1}]",
    "[{0} for {1} in {2}]",
    "({2} for {0} in {1} if {2})",
    "{{{2}: {0} for a in b}}",
    "lambda {4}: {0}",
    "({2} := {0})",
    "{2} := {0}",
    "{0} if {2} else {1}",
    "not {0}",
    "await {0}",
    "-{2}",
    "{2} + {2}",
    "{2} ** {2}",
    "{2} or {2}",
    "{2} not in {2}",
    "{2} <> {2}",
    "(yield {0})",
    "yield {0}",
    "yield from {0}",
    "{0}, {1}",
    "{0},",
    "{2}.None",
    "{2}.match",
]
STATEMENTS = [
    "{0} = {1}",
    "{0} = {1} = {2}",
    "{0} += {1}",
    "{2}: {2} = {0}",
    "{0}",
    "return {0}",
    "del {0}",
    "assert {0}, {1}",
    "raise {0} from {1}",
    "for {0} in {1}: pass",
    "async for {0} in {1}: pass",
    "while {0}: pass",
    "if {0}: pass\nelif {1}: pass",
    "with {2} as {2}, {2}: pass",
    "with ({2} as {2}, {2}): pass",
    "with ({2}, {2} as {2}) as {2}: pass",
    "with ({2}): pass",
    "def f{5}({6}) -> {2}: pass",
    "def f({4}): pass",
    "class A{5}({3}, {3}): pass",
    "@{0}\ndef f(): pass",
    "try: pass\nexcept {2} as {2}: pass",
    "try: pass\nexcept {2}: pass\nexcept *{2}: pass",
    "try: pass\nexcept *{2}: pass\nexcept: pass",
    "type X{5} = {2}",
    "type {2} = {2}",
    "match {0}:\n  case _: pass",
    "global a, None",
    "import a.None",
    "import a as b.c",
    "from a import b,",
    "from a import (b as c,)",
    "from .None import *",
    "from a import ()",
    "print {2}",
    "exec {2} in b",
    "async = 1",
    "await = 1",
    "match[{0}] = 1",
    "type(a).b: int = {0}",
]
ARGUMENTS = [
    "k={2}",
    "None={2}",
    "a.b={2}",
    "(k)={2}",
    "**{2}",
    "*{2}",
    "{2} for x in y",
    "a as b",
    "a := {0}",
    "k=*a",
]
PARAMETERS = ["a", "b", "c=1", "d=2", "*", "/", "*args", "**kw", "None", "(x)", "(x, y)", "a=*b", "*b=1", "**c=2"]
TYPED = ["a: int", "c: int = 1", "*args: int", "*args: *int", "**k: int", "a: *b", "a: lambda: 1", "a:b:c", "(a)", "d=1"]
TYPE_PARAMETERS = ["T", "T: int", "*Ts", "**P", "T = int", "*Ts = *int", "**P = [a]", "*Ts: int", "None", "T: *a"]


def filled(frame: str, choose: random.Random, depth: int) -> str:
    """The frame with expressions, arguments and parameters in its places."""
    makers = [
        lambda: expression(choose, depth + 1, 0.12),
        lambda: expression(choose, depth + 1, 0.12),
        lambda: expression(choose, depth + 1, 0.02),
        lambda: argument(choose, depth + 1),
        lambda: listed(PARAMETERS, choose),
        lambda: f"[{listed(TYPE_PARAMETERS, choose)}]" if choose.random() < 0.3 else "",
        lambda: listed(TYPED, choose),
    ]
    text = re.sub(r"(?<!\{)\{(\d)\}", lambda match: makers[int(match[1])](), frame.replace("{{", "\0").replace("}}", "\1"))
    return text.replace("\0", "{").replace("\1", "}")


def expression(choose: random.Random, depth: int, starred: float) -> str:
    if choose.random() < starred:
        return "*" + expression(choose, depth + 1, 0.02)
    if depth > 3 or choose.random() < 0.4:
        return choose.choice(LITERALS if choose.random() < 0.3 else NAMES)
    return filled(choose.choice(EXPRESSIONS), choose, depth)


def argument(choose: random.Random, depth: int) -> str:
    if choose.random() < 0.5:
        return expression(choose, depth, 0.12)
    return filled(choose.choice(ARGUMENTS), choose, depth)


def listed(items: list[str], choose: random.Random) -> str:
    chosen = [choose.choice(items) for _ in range(choose.choice([1, 1, 2, 3, 4]))]
    return ", ".join(chosen) + choose.choice(["", "", "", ","])


def odd(choose: random.Random) -> str:
    """One or two statements, some over several lines."""
    source = "\n".join(filled(choose.choice(STATEMENTS), choose, 0) for _ in range(choose.choice([1, 1, 1, 2])))
    if choose.random() < 0.25:
        source = re.sub(r"([(\[{,]) ?", lambda m: m.group(1) + choose.choice(["\n", "\n  ", " ", ""]), source)
    return source + "\n"
