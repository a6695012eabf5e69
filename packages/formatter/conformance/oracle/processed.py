"""Strings in every place in which the string processing of the unstable style may change them."""

import random
import re

from made import indent
from woven import mostly_python

PIECES = (
    "some words that fill lines and more of them until the end , . : ; - {a} {b!r:>{w}} {{x}} %s %(name)d %% \\n \\t \\\\ \\' \\\" it's"
    ' "quoted" https://example.com/a/very/long/address/that/has/no/space {f(a,b)} {d["k"]} {x=} \\N{EM DASH} \\x41 \\u00e9 é 漢字漢字 #c {'
    " } a.b.c(d) averyveryveryveryverylongwordwithoutanyspaceinitatall TODO"
).split(" ")
PREFIXES = ["", "", "", "", "f", "f", "r", "b", "u", "rf", "F", "Rb", "t", "U", "R"]
BESIDE = ["{} + {}", "{} % (a, b)", "{} % a", "{}.format(a, b=c)", "{}.join(a)", "{}.strip().lower()", "{}[0]", "{} if a else {}", "a if b else {}", "{} in a", "a not in {}", "{} == {}", "({})", "(({}))", "f({})", "{} and {}", "not {}", "a + {}", "{} * 2", "lambda: {}", "lambda a: {}", "-{}", "await {}", "{} or {}", "*{}", "a[{}]", "{}.a[{}](b)"]
HOLDERS = [
    "x = {}",
    "x = {}",
    "some_object.attribute = {}",
    "x: str = {}",
    "x[{}] = {}",
    "x += {}",
    "x = y = {}",
    "x, y = {}, {}",
    "return {}",
    "return {}, {}",
    "yield {}",
    "assert x, {}",
    "assert some_function(arg), {}",
    "assert {} in x, {}",
    "raise ValueError({})",
    "raise {} from {}",
    "f({})",
    "f({}, {})",
    "f(a, {}, b=c)",
    "f(key={}, other=1)",
    "f(a)(b, {})[c]",
    "x = f({})",
    "x = f(a, {},)",
    "x = [{}, {}]",
    "x = ({},)",
    "x = ({}, {},)",
    "x = {'k': {}, 'l': {}}",
    "x = {{}: {}, **a}",
    "x = {'k': ({}), {}: 1}",
    "x = {{}}",
    "x = ({})",
    "x = (\n  {}\n)",
    "x = (  # c\n  {}\n)",
    "x = (\n  {}  # c\n)",
    "x = (\n  # c\n  {}\n  # d\n)",
    "f(\n  {},  # c\n  {}\n)",
    "if {}: pass",
    "if x == {}: pass",
    "while {} in x: pass",
    "for x in {}: pass",
    "for x in ({}, {}): pass",
    "with open({}) as f: pass",
    "def f(a={}): pass",
    "def f(a: {}, b={}) -> {}: pass",
    "class A({}): pass",
    "@a({})\ndef f(): pass",
    "x = lambda: {}",
    "x = [{} for a in b if {}]",
    "print({}, end={})",
    "{}",
    "({})",
    "del x[{}]",
    "x = a[{}]",
    "x = a[{}][{}].b",
    "x = a.b({}).c({})",
    "match x:\n    case {}: pass",
    "x = yield {}",
    "x = await f({})",
    "x = (y := {})",
    "type X = A[{}]",
    "import_({}); f({})",
]


def string(choose: random.Random, size: int, inherited: str | None = None) -> str:
    prefix = choose.choice(PREFIXES) if inherited is None or choose.random() < 0.2 else inherited
    quote = choose.choice(["'", '"', "'", '"', '"""'] if choose.random() < 0.2 else ["'", '"'])
    body = choose.choice(["", " ", "", ""])
    while len(body) < size:
        body += (choose.choice(PIECES) if choose.random() < 0.35 else choose.choice(PIECES[:12])) + choose.choice([" ", " ", " ", " ", "", "  "])
    body = body if choose.random() < 0.5 else body.strip()
    if "f" in prefix.lower() or "t" in prefix.lower():
        body = body.replace("{ ", "{{ ").replace(" } ", " }} ")
    if len(quote) == 1:
        body = body.replace("\\" + quote, "\0").replace(quote, "").replace("\0", "\\" + quote)
    if len(body) - len(body.rstrip("\\")) & 1:
        body += " "
    if choose.random() < 0.03:
        at = choose.randrange(len(body) + 1)
        body = body[:at] + "\\\n" + body[at:]
    return prefix + quote + body + quote


def strings(choose: random.Random) -> str:
    """Several implicitly joined strings, or one."""
    count = choose.choice([1, 1, 1, 2, 2, 3, 5])
    prefix = choose.choice(PREFIXES)
    gaps = choose.choice([[" "], ["\n"], ["\n    "], [" ", "\n", "  # c\n", "\n# c\n"], ["  # type: ignore\n", "\n"], [" \\\n"]])
    text = ""
    for index in range(count):
        text += (choose.choice(gaps) if index else "") + string(choose, choose.choice([0, 5, 20, 40, 80, 160]), prefix)
    return text


def processed(choose: random.Random) -> str:
    """Strings that are merged, split, wrapped or stripped of parentheses, in any place of any statement."""
    return mostly_python(lambda: with_strings(choose), choose)


def with_strings(choose: random.Random) -> str:
    source = ""
    for _ in range(choose.choice([1, 1, 1, 2])):
        holder = choose.choice(HOLDERS)

        def fill(_: re.Match) -> str:
            value = strings(choose).replace("{}", "{ }")
            for _ in range(choose.choice([0, 0, 0, 1, 1, 2])):
                frame = choose.choice(BESIDE)
                value = frame.replace("{}", value, 1)
                while "{}" in value:
                    value = value.replace("{}", strings(choose).replace("{}", "{ }"), 1)
            return value

        text = re.sub(r"\{\}", fill, holder)
        if "\n" in text and not text.rstrip().endswith("pass") and "\n" not in holder and "(" not in holder and choose.random() < 0.8:
            text = re.sub(r"(= |return |yield |, |: )(.*)", lambda found: found[1] + "(" + found[2] + ")", text, count=1, flags=re.S)
        if choose.random() < 0.15:
            text += choose.choice(["  # c", "  # type: ignore", "  # noqa", "  # pylint: disable=line-too-long", "  # fmt: skip"])
        text += "\n"
        for _ in range(choose.choice([0, 0, 1, 2, 3])):
            text = choose.choice(["if x:", "def f():", "class A:", "with a:"]) + "\n" + indent(text, "    ")
        source += text
    return source


PROCESSED = {"processed": processed}
