"""Sources whose characters are what counts: docstrings, plain strings, numbers, line ends, letters and spaces of every kind."""

import random

# What may stand for one character in a text, rare ones among them.
PIECES = [
    "a",
    "word ",
    "Some words. ",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\n    ",
    "\n  text",
    "\n\t",
    "\n\t    text",
    "\\",
    "\\\\",
    "\\n",
    "\\\n",
    "\\'",
    '\\"',
    "'",
    '"',
    "''",
    '""',
    "\\x41",
    "\\xAb",
    "\\u00E9",
    "\\U0001F600",
    "\\N{EN DASH}",
    "\\N{en dash}",
    "\\777",
    "\\0",
    "\\d",
    "{",
    "}",
    "{x}",
    "%s",
    "#",
    "# fmt: skip",
    ">>> x  = 1",
    "é",
    "漢字",
    "\U0001f600",
    "e\u0301",
    "\u200b",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\x85",
    "\x0c",
    "\x0b",
    "\x1c",
    "\x1f",
    "\x7f",
    "\ufeff",
    "\ufb01",
    "a word that goes on and on until it is as long as a line may be in the narrow styles ",
]
PLAIN = ["a", "word ", "text", "Some words. ", "it", " "]
PREFIXES = ["", "", "", "", "", "", "r", "R", "u", "U", "b", "B", "rb", "Rb", "bR", "BR", "f", "F", "fr", "Rf", "t", "T", "ur"]
QUOTES = ['"""', '"""', '"""', "'''", '"', "'"]


def text(choose: random.Random, rare: float) -> str:
    return "".join(
        choose.choice(PIECES if choose.random() < rare else PLAIN) for _ in range(choose.choice([0, 1, 2, 3, 5, 9, 20]))
    )


def quoted(choose: random.Random, rare: float = 0.4) -> str:
    quote = choose.choice(QUOTES)
    body = text(choose, rare)
    if len(quote) == 1:
        body = body.replace("\\\n", "\\\0").replace("\n", choose.choice(["\\n", " ", ""])).replace("\0", "\n")
        if choose.random() < 0.9:
            body = body.replace("\\" + quote, "\0").replace(quote, "").replace("\0", "\\" + quote)
    return choose.choice(PREFIXES) + quote + body + quote


OWNERS = [
    "{}\n",
    "{}\n",
    "{}\nx  = 1\n",
    "# c\n\n{}\n\n\nimport a\n",
    "def f():\n    {}\n",
    "def f():\n  {}\n  return 1\n",
    "def f(): {}\n",
    "class A:\n    {}\n\n    x = 1\n",
    "class A:\n\n    {}\n    def f(self):\n        {}\n",
    "class A:\n\t{}\n",
    "class A: {}\n",
    "async def f():\n    # c\n    {}\n    # d\n",
    "def f():\n    {}  # c\n",
    "def f():\n    {};\n",
    "def f():\n    {} {}\n",
    "def f():\n    ({})\n",
    "if x:\n    {}\n",
    "class A:\n    x = 1\n    {}\n",
    "def f():\n    {}\n    {}\n",
    "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n{}\n",
    "class A:\n    def f(self):\n        def g():\n            {}\n            pass\n",
    "def f():\n    {}\n\n\n\n    def g(): pass\n",
    "def f():\n    {}\n    # c\n    def g(): pass\n",
    "@a\ndef f(a, b) -> c:\n    {}\n    ...\n",
]


def docstrings(choose: random.Random) -> str:
    """Strings where documentation stands, and beside such places."""
    frame = choose.choice(OWNERS)
    while "{}" in frame:
        frame = frame.replace("{}", quoted(choose, choose.choice([0.1, 0.3, 0.6])).replace("{}", "{ }"), 1)
    return frame


NUMBERS = (
    "0XABCDEF 0xabcdef 0XabCL 0B101 0b1_0 0O17 0o1_7 0777 00 0_0 1_000 1__0 1_ 1E5 1e-5 1.E+5J .5 5. 5.j 0J 1L 1E5L 0XFFl 1.5J 0b2 0o8"
    " 1e 1if 0xfor 1_000.000_1 0XDEADBEEF_1 1e1_0 1.0E-1_0j ١ 1_e5 0x_f 9" + "9" * 40
).split()
FRAMES = [
    "x  = {}",
    "f({}, {})",
    "x  = [{}, {},]",
    "return  {}",
    "x  = {} if {} else {}",
    "x = {'k': {}, {}: 1}",
    "if x in ({}, {}): pass",
    "x[{}:{}]  = {}",
    "x = {}\n{}  ",
    "-{} ** {}",
    "{}.real",
    "x = {} {}",
    "print({} % ({},))",
    "from a import b; x = {}",
    "x  = lambda: {}",
    "{}",
    "assert {}, {}",
    "{}  # c",
]


def plain(choose: random.Random) -> str:
    """Strings and numbers with every prefix, quote, escape and spelling, in short statements."""
    frame = choose.choice(FRAMES)
    while "{}" in frame:
        one = choose.choice(NUMBERS) if choose.random() < 0.35 else quoted(choose, choose.choice([0.1, 0.5, 0.8]))
        frame = frame.replace("{}", one.replace("{}", "{ }"), 1)
    return frame + choose.choice(["\n", "\n", "\n", "", "\n\n"])


SPACES = ["\t", "\x0c", "\x0b", "\u00a0", "\u3000", "\u200b", "\ufeff", "\x00", "\x1a", "\x1c", "\x85", "\u2028", "  ", " \t ", "\x7f", "\x01", "$", "?", "!", "€"]
WORDS = ["x", "é", "ﬁ", "fi", "ª", "µ", "μ", "漢字", "ℌ", "x\u0301", "℘", "a\u200b", "·", "·a", "\U0001d4d0", "𝐝𝐞𝐟", "ｉｆ", "名" * 12, "_", "__debug__", "e" * 30]
LINES = [
    "{w}  = {w}",
    "def {w}({w}, *{w}): return  {w}",
    "class {w}({w}.{w}):\n    {w}: {w}  = 1",
    "import {w}.{w} as {w}",
    "from {w}  import {w}",
    "if {w}:\n    {w}\n",
    "{w}.{w}({w}={w})",
    "for {w} in {w}:\n\t{w}\n",
    "# {w}",
    "x = '{w}'  # {w}",
    "",
    "   ",
    "\t",
    "\x0c",
    "if a:\n    pass\n\x0c\n    b",
    "@{w}\ndef f(): pass",
    "x = [\n\t{w},\n  {w}\n]",
    "x = '''{w}\n\t{w}'''",
    "global {w}",
    "f({w} for {w} in {w})",
    "'''{w}'''",
    "x = {w} + \\\n  {w}",
    "match {w}:\n  case {w}.{w}: pass",
]
ENDS = ["\n", "\r\n", "\r", "\n\r", "\r\r\n", "\x0c\n", " \n", "\t\r\n", "\n\n", "\\\n", "\\\r\n", ";\n"]
COOKIES = [
    "# -*- coding: utf-8 -*-\n",
    "# coding: latin-1\n",
    "#!x\n# vim: set fileencoding=utf8 :\n",
    "# coding: ascii\n",
    "# coding=cp1252\n",
    "# coding: nothing\n",
    "\n# coding: latin-1\n",
    "x=1 # coding: latin-1\n",
    "# -*- coding: utf-8-sig -*-\n",
]


def characters(choose: random.Random) -> str:
    """Letters, spaces and ends of lines of every kind; also a byte order mark and a declared encoding."""
    usual = choose.choice(["\n", "\n", "\r\n", "\r"])
    source = ""
    for _ in range(choose.choice([1, 1, 2, 3, 4])):
        line = choose.choice(LINES)
        while "{w}" in line:
            line = line.replace("{w}", choose.choice(WORDS if choose.random() < 0.5 else ["a", "b", "x"]), 1)
        source += line.replace("\n", usual) + (choose.choice(ENDS) if choose.random() < 0.2 else usual)
    if choose.random() < 0.4:
        at = choose.randrange(len(source) + 1)
        source = source[:at] + choose.choice(SPACES) + source[at:]
    if choose.random() < 0.1:
        source = choose.choice(COOKIES) + source
    if choose.random() < 0.1:
        source = "\ufeff" + source
    if choose.random() < 0.1:
        source = source.rstrip("\r\n")
    return source


TEXTS = {"docstrings": docstrings, "plain": plain, "characters": characters}
