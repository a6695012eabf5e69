"""Cells whose value a semicolon hides, behind whatever may stand between it and the cell's end."""

import random

# What may stand before a semicolon, and behind it.
CODE = [
    "x",
    "f(a)",
    "f( a )",
    "x=1",
    "x == y",
    "'s'",
    "'a;'",
    "b'x' ",
    "'''a'''",
    "'''a\nb'''",
    '"""a\n;"""',
    "f'{a}'",
    "f'{a};'",
    "f'''{\na}'''",
    "f'''a\n{a}\n;'''",
    "f\"{f'{a};'}\"",
    "f'{a:{b};}'",
    "f'{{;}}'",
    "f'{a!r:;}'",
    "f'{lambda: 1}'",
    "t'{a}'",
    "rb'x'",
    "'a\\\nb'",
    "f'a\\\nb{c}'",
    "f'{a\n}'",
    "f'{a # c;\n}'",
    "(a\n)",
    "(a; b)",
    "[a,\n b]",
    "{a: b}",
    "(a # c;\n)",
    "if x: y",
    "if x:\n  y",
    "def f():\n    return 1",
    "class A: pass",
    "@a\ndef f(): pass",
    "pass",
    "1.",
    "1.;2",
    "0x1f",
    "1__0",
    "01",
    "1e5j",
    "1if x else 2",
    "a.b",
    "a...b",
    "...",
    "lambda: x",
    "x; y",
    "x;y ; z",
    "a := 1",
    "(a := 1)",
    "match x:\n    case 1: y",
    "!ls",
    "!ls;",
    "!ls \\\n a",
    "%time x",
    "%time x;",
    "%matplotlib inline",
    "%%time",
    "a = !ls",
    "a = %env b",
    "x?",
    "x??",
    "?x",
    ";f a",
    ",f a",
    "/f a",
    "$",
    "a $ b",
    "a ! b",
    "`",
    "é",
    "a\u00e9",
    "漢 = 1",
    "'",
    '"',
    "'''",
    "f'",
    "f'{",
    "f'{a",
    "(",
    ")",
    "[",
    "}",
    "\\",
    "\\\n",
    "",
    "",
    "",
]
COMMENTS = ["# c", "#", "# c;", "# fmt: off", "# fmt: skip", "# %%", "#;", "# a\\", "# type: ignore", "#!x", "# 'a"]
LINE_ENDS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\\\n", "\\\r\n", "\n\x0c", "\n\n", "\r\r\n", "\n\r"]
BLANKS = ["", "", "", "", " ", "  ", "\t", "\x0c", " \x0c", "\xa0", "\ufeff", "\u200b", "\x1f", "\\\n", "\\\n ", " \\\n"]


def blank(choose: random.Random) -> str:
    return choose.choice(BLANKS if choose.random() < 0.2 else ["", "", " "])


def line_end(choose: random.Random) -> str:
    return choose.choice(LINE_ENDS if choose.random() < 0.25 else ["\n"])


def silenced(choose: random.Random) -> str:
    """Statements, magics and half of them, with semicolons where they hide the last value and where they do not."""
    text = choose.choice(["", "", "", "%%time\n", "\n", "# c\n", ";", "  ", "\x0c", "\ufeff", "\r\n", "%%capture x\n\n", "%%bash\n"])
    for _ in range(choose.choice([1, 1, 2, 2, 3])):
        text += blank(choose) + choose.choice(CODE)
        for _ in range(choose.choice([0, 1, 1, 1, 2, 3])):
            text += blank(choose) + ";"
        if choose.random() < 0.25:
            text += blank(choose) + choose.choice(COMMENTS)
        for _ in range(choose.choice([1, 1, 1, 2])):
            text += blank(choose) + line_end(choose)
    if choose.random() < 0.5:
        text = text.rstrip("\n")
    if choose.random() < 0.2:
        text += choose.choice(["# c", "#", "  # c;", "\\", ";", " ", "\x0c", "\r", "\u2028", "\x00", "\\\n\n", "    ", "    # c", "\t;"])
    return text


SILENCED = {"silenced": silenced}
