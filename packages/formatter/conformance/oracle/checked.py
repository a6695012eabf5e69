"""Programs on which the safety check decides: much of it only looks like Python, and some of it to one parser alone."""

import io
import random
import re
import tokenize

from odd import odd

HEADERS = [
    "if x:",
    "def f():",
    "class A:",
    "for x in y:",
    "while x:",
    "try:",
    "with a:",
    "if x :",
    "else:",
    "elif y:",
    "except E:",
    "finally:",
    "async def g():",
    "@d",
    "match x:",
    "case 1:",
]
STATEMENTS = [
    "pass",
    "x = 1",
    "y  = 1",
    "f(a,\n  b)",
    "return",
    "x = '''a\n  b'''",
    "x = [  # c\n1]",
    "a; b",
    "a \\\n  + b",
    "x = ( \\\n 1)",
    "'doc'",
    "y = 1  # c \\",
    "pass # \\",
    "f()\\\n",
    "a = \\\n1",
    "if x: pass",
    "def g(): pass",
]
# Lines that hold no code, and decide about indentation in one tokenizer or the other.
BETWEEN = [
    "",
    "# c",
    "    # c",
    "  # c \\",
    "# c \\",
    "    # c \\",
    "\\",
    "    \\",
    "  \\",
    "        \\",
    "    ",
    "# fmt: off",
    "# fmt: on",
    "    # type: ignore",
    "\t",
    "\f",
    "\\  ",
    "\t\\",
    "\t# c \\",
]
ENDS = ["", "", "", "", "  # c", "  # c \\", " \\\n", "\\\n", " \\\n  # c", "; \\\n", ";"]


def indented(choose: random.Random) -> str:
    """Blocks whose indentation hangs on comments, backslashes, tabs and form feeds."""
    lines = []
    depth = 0
    opened = False
    for _ in range(choose.randint(1, 7)):
        unit = choose.choice(["    "] * 8 + ["  ", "\t", " "])
        if opened:
            depth += 1
        elif choose.random() < 0.35 and depth:
            depth -= choose.randint(1, depth)
        opened = False
        pad = unit * depth
        if choose.random() < 0.06:
            pad = choose.choice(["", " ", "  ", "   ", "    ", "\t", " " * 8, "\f", "\f    ", "    \f"])
        for _ in range(choose.choice([0, 0, 0, 1, 1, 2])):
            lines.append(choose.choice(BETWEEN))
        if choose.random() < 0.4:
            end = choose.choice(["", "", "", "  # c", "  # c \\", " \\\n", "\\\n", "  # type: int"])
            lines.append(pad + choose.choice(HEADERS) + end)
            opened = not lines[-1].strip().startswith("@")
        else:
            lines.append(pad + choose.choice(STATEMENTS) + choose.choice(ENDS))
    if opened and choose.random() < 0.9:
        lines.append(choose.choice(["    ", "  "]) * (depth + 1) + "pass")
    for _ in range(choose.choice([0, 0, 1, 2])):
        lines.append(choose.choice(["", "\\", "    \\", "# c \\", "    # c", "    # c \\", "    "]))
    return "\n".join(lines) + choose.choice(["\n", "\n", "\n", "\n", ""])


PREFIXES = ["f", "f", "f", "F", "fr", "rf", "Rf", "fR"]
QUOTES = ['"', "'", '"""', "'''"]
TEXTS = [
    "a",
    " ",
    "{{",
    "}}",
    "\\n",
    "\\N{BULLET}",
    "\\{",
    "\\}",
    "\\\\",
    "\\'",
    '\\"',
    "'",
    '"',
    "}",
    "\\\n",
    "\n",
    ":",
    "!",
    "=",
    "#",
    "\\x41",
    "\\x",
    "it's",
    "\\N",
    "{{{{",
]
VALUES = [
    "a",
    "a.b",
    "a[0]",
    "f(x)",
    "a + b",
    "lambda: 1",
    "(lambda x: 1)",
    "(a := 1)",
    "a if b else c",
    "{1: 2}",
    "{'a': 1}",
    "[1, 2]",
    "a, b",
    "*a, b",
    "yield",
    "yield a",
    "await a",
    "not a",
    "1.",
    "a != b",
    "a == b",
    "(a\n)",
    "a # c\n",
    "a # type: ignore\n",
    "a\n",
    "'s'",
    '"s"',
    "'''t'''",
    '"""t"""',
    "b'x'",
    "r'\\'",
    "'{'",
    '"}"',
    "",
    " ",
    "a b",
    "a:=1",
    "a['k']",
    'a["k"]',
    "x for x in y",
    "{a}",
    "a\\\n+ b",
    "a \\\n \\\n + b",
    "'a' 'b'",
    "a\\\n",
    "{**a}",
    "a[b:c]",
    "a(b=1)",
    "f(**a, *b)",
    "a.None",
    "'' {a}",
    "''{a!r}",
    "'a'{[=]}",
    "a{b}",
    "a!r{b}",
    "a={b}",
]
SPECS = [
    ">10",
    "d",
    " ",
    ":",
    "!",
    "#x",
    "{{",
    "}}",
    "\\n",
    "\\{",
    "%Y-%m",
    "'",
    '"',
    "\n",
    "=",
    "{ }",
    "{b!}",
    "\\\n",
]


def field(choose: random.Random, outer: tuple, spec: int = 0) -> str:
    """A replacement field in strings with the quotes `outer`."""
    rare = choose.random() < 0.3
    before = choose.choice(["", "", "", " ", "\n", "\\\n"] if rare else ["", "", " "])
    kind = choose.random()
    if kind < 0.33 and len(outer) < 5:
        value = interpolated(choose, outer)
    elif kind < 0.45 and len(outer) < 5:
        value = "'a' if b else " + interpolated(choose, outer)
    else:
        value = choose.choice(["a", "b.c", "f(x)"] if kind < 0.7 else VALUES)
    after = choose.choice(
        ["", "=", " = ", " # c\n", "=\n", "= # c\n", "\\\n", "=\\\n", "\\\n\\\n", "=="] if rare else ["", "", "", " ", "="]
    )
    conversion = ""
    if choose.random() < 0.35:
        conversion = choose.choice(["!r", "!s", "!a", "!r ", "! r", "!x", "!", "!r # c\n", "!r\n", "!r\\\n", "!="])
    spec_text = ""
    if choose.random() < 0.4:
        spec_text = ":"
        for _ in range(choose.choice([0, 1, 1, 2])):
            if choose.random() < 0.3 and spec < 3:
                spec_text += field(choose, outer, spec + 1)
            else:
                spec_text += choose.choice(SPECS if choose.random() < 0.4 else [">10", "d", ".2f", "%H:%M"])
    return "{" + before + value + after + conversion + spec_text + "}"


def interpolated(choose: random.Random, outer: tuple = ()) -> str:
    """An f-string, mostly with other quotes than the one it stands in."""
    quote = choose.choice(QUOTES)
    if outer and choose.random() < 0.6:
        quote = choose.choice([other for other in QUOTES if other[0] != outer[-1][0]])
    parts = []
    for _ in range(choose.choice([1, 1, 1, 2, 2, 3])):
        if choose.random() < 0.6:
            parts.append(field(choose, (*outer, quote)))
        else:
            parts.append(choose.choice(TEXTS if choose.random() < 0.2 else ["a", "b ", "", "it"]))
    return choose.choice(PREFIXES) + quote + "".join(parts) + quote


def fields(choose: random.Random) -> str:
    text = interpolated(choose)
    frames = [
        "x  = {}",
        "x  = {}",
        "return  {}",
        "f(a, {})",
        "x  = {} 'b'",
        "x  = {} b'b'",
        "x  = {}.a % b",
        "{}",
        "if x:\n  y = ({},)",
    ]
    return choose.choice(frames).replace("{}", text) + "\n"


COMMENTS = [
    "# type: ignore",
    "# type: ignore[a]",
    "# type: ignore # c",
    "# type: int",
    "#type:int",
    "# type:int ",
    "# type: () -> int",
    "# type: (...) -> int",
    "# noqa",
    "# c",
    "#",
    "# type: ignored",
    "# type: ignore-errors",
    "#  type: List[int]  # c",
    "# pylint: disable=x",
    "# type:",
    "#\ttype: int",
    "# type: ignore\\",
    "# c \\",
]
COMMENTED = [
    "x = f(\n a,\n b\n)",
    "x = 1",
    "x = y = [1,\n2]",
    "def f(a, b): pass",
    "def f(\n a,\n b=1,\n *c,\n **d\n):\n  pass",
    "def f(a,\n  *,\n b):\n  return 1",
    "for x in y:\n  pass",
    "for x in [\n1]: pass\nelse:\n  pass",
    "with a as b:\n  pass",
    "with (a as b,\n c as d):\n  pass",
    "from foo import (\n bar\n)",
    "if x:\n  pass\nelse:\n  pass",
    "x: int = 1",
    "x += 1",
    "class A(\n B\n):\n  x = 1",
    "return  (\n 1\n)",
    "async def f(a):\n  async with b: pass\n  async for c in d: pass",
    "lambda a, b: 1",
    "@a\ndef f(self, a,):\n  return a",
    "x = [1\n, \n 2]",
    "print( 'a' )",
    "del (a,\n b)",
    "assert x, (\n y)",
    "def f(a, /, b): pass",
    "def f(a  , b,): pass\ny = 2",
    "x = 1; y = 2",
    "a.b(c).d(\n e\n).f(g)",
    "def f(\n): return 1",
    "x = (1)",
    "def f(a: int = 1, *args: str,) -> Set[1]:\n  'doc'\n  return",
    "fundef = *aaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb",
]


def places(source: str) -> list[tuple[int, bool]]:
    """Offsets at which a comment may stand, and whether a line break has to follow it."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    level = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if not token.string.strip():
                continue
            level += (token.string in "([{") - (token.string in ")]}")
            end = starts[token.end[0] - 1] + token.end[1]
            rest = source[end:].split("\n", 1)[0].strip()
            if level > 0 and not rest.startswith("#"):
                found.append((end, source[end : end + 1] != "\n"))
            elif not rest:
                found.append((end, False))
    except (tokenize.TokenError, SyntaxError, SystemError, MemoryError):
        pass
    return found


def with_comment(source: str, comments: list[str], choose: random.Random) -> str:
    where = places(source)
    comment = choose.choice(comments)
    if where and choose.random() < 0.8:
        at, breaks = choose.choice(where)
        end = "\n" + " " * choose.choice([0, 1, 4]) if breaks else ""
        return source[:at] + choose.choice(["", " ", "  "]) + comment + end + source[at:]
    lines = source.split("\n")
    lines.insert(choose.randrange(len(lines) + 1), " " * choose.choice([0, 1, 2, 4]) + comment)
    return "\n".join(lines)


def typed(choose: random.Random) -> str:
    """Type comments, where Python knows them and where it does not, and others that get joined with them."""
    source = "\n".join(choose.choice(COMMENTED) for _ in range(choose.choice([1, 1, 2])))
    for _ in range(choose.choice([1, 1, 2, 2, 3, 4])):
        source = with_comment(source, COMMENTS, choose)
    return source + "\n"


DIRECTIVES = [
    "# fmt: off",
    "# fmt: on",
    "# fmt: skip",
    "# fmt:skip",
    "# fmt: off # c",
    "# yapf: disable",
    "# yapf: enable",
    "# fmt: skip # c",
    "# c",
    "# c # fmt: skip",
]


def paired(choose: random.Random) -> str:
    """Directives in a row, also where they leave no valid output."""
    parts = [choose.choice(DIRECTIVES)] if choose.random() < 0.3 else []
    for _ in range(choose.choice([1, 2, 2, 3])):
        parts.append(choose.choice(COMMENTED))
        for _ in range(choose.choice([0, 1, 1, 2, 3])):
            parts.append(" " * choose.choice([0, 0, 0, 4, 4, 2, 8]) + choose.choice(DIRECTIVES))
    source = "\n".join(parts)
    if choose.random() < 0.25:
        body = "\n".join("    " + line if line.strip() else line for line in source.split("\n"))
        source = choose.choice(["if x:", "def f():", "class A:"]) + "\n" + body
    for _ in range(choose.choice([0, 0, 1, 2])):
        source = with_comment(source, DIRECTIVES, choose)
    return source + "\n"


def pattern(choose: random.Random, depth: int = 0) -> str:
    """A pattern, or what our grammar and Black's take for one."""
    if depth > 2 or choose.random() < 0.35:
        odd = "-1 's' a.b None b'x' 1+2j -1-2j 1j+1 +1 f'x' ... 'a'\"b\" _.a -a 1+2 a[0] 2j match type f(x).a".split()
        return choose.choice(odd if choose.random() < 0.5 else ["a", "b", "1", "_", "a.b"])
    inner = pattern(choose, depth + 1)
    other = pattern(choose, depth + 1)
    frames = [
        "({0})",
        "({0}, {1},)",
        "({0},)",
        "(*a, {0})",
        "[{0}, *{1}]",
        "[]",
        "[{0} as b, {1}]",
        "{0} | {1}",
        "{0} as b",
        "{0} as _",
        "({0} as b)",
        "{{'k': {0}, **rest}}",
        "{{1: {0} as b, a.b: {1},}}",
        "{{**rest, 'k': {0}}}",
        "{{a: {0}}}",
        "C({0} as b)",
        "C({0}, {1} as s,)",
        "C(k={0} | {1})",
        "C(k={0}, {1})",
        "C({0}, _={1})",
        "C(_={0}, k={1})",
        "a.C({0}, k={1} as b)",
        "_({0})",
        "C(*{0})",
        "C({0} for x in y)",
    ]
    return choose.choice(frames).format(inner, other)


def patterns(choose: random.Random) -> str:
    subject = choose.choice(["x", "x", "x", "x, y", "*x, y", "*x", "(x := 1)", "yield", "not x"])
    source = f"match {subject}:\n"
    for _ in range(choose.choice([1, 1, 2])):
        text = pattern(choose) + choose.choice(["", "", "", "", ",", ", *a", " | b"])
        guard = choose.choice(["", "", "", " if a", " if (a as b)", " if a := b"])
        source += f"    case {text}{guard}:\n        y  = 1\n"
    if choose.random() < 0.15:
        source = re.sub(r"([(\[{,]) ?", lambda m: m.group(1) + choose.choice(["\n", " ", ""]), source)
    return source


CHECKED = {
    "indented": indented,
    "fields": fields,
    "typed": typed,
    "paired": paired,
    "patterns": patterns,
    "odd": odd,
}
