"""Cells of notebooks, made of statements of real modules and of magics."""

import random
import re

from edits import edit, is_python

MAGICS = [
    "%matplotlib inline",
    "%time x = 1",
    "%time  a  b ",
    "%ls;",
    "%%time",
    "%%timeit -n 10",
    "%%time\n",
    "%%bash",
    "%%html\n<a>",
    "%%writefile x.py",
    "%%python",
    "%%capture out",
    "%%time?",
    "%",
    "%foo?",
    "%x.y z",
    "% ls",
    "!ls -la",
    "!ls {a} \\\n  b",
    "! ls",
    "!!ls",
    "!",
    "!ls # c",
    "!ls\\",
    "foo?",
    "foo??",
    "?foo",
    "a.b?",
    "a*?",
    "foo(1)?",
    "foo? # c",
    "?",
    "a = !ls",
    "a =!ls",
    "a = !ls;",
    "a = %env HOME",
    "a = %time y = 1",
    "a, b = !ls",
    "a[0] = %time 1",
    "a.b = !ls",
    "a = b = !ls",
    "a += !ls",
    "(a) = !ls",
    "print(%ls)",
    "if a:\n    !ls",
    "for i in b:\n    %time f(i)\n    !echo $i",
    "def f():\n    %magic\n    return 1",
    "a = '''\n!ls\n'''",
    "a = '''\n%%time\n'''",
    "a = [\n!ls\n]",
    ",f a b",
    ";f a b",
    "/f a b",
    "In [1]: x=1\n   ...: y=2",
    ">>> x=1\n>>> y=2",
    "get_ipython().system('x')",
    "get_ipython().run_line_magic('a','b')",
    "# !ls",
    "# %%",
    "x;",
    "x; ",
    "f(a);  # c",
    "f(a) ;",
    "x;;",
    ";",
    "'''a''';",
    "    x=1",
    "await x",
    "return 1",
    "a\n%b",
    "x = 5 % a",
    "é?",
    "!echo é",
    "%%!\nls",
]
ENDS = [";", " ;", "; # c", ";\n", "  ;  ", "\n;", "\n\n", " ", "\n# c;"]
BEGINNINGS = ["# c\n", "\n", "%%time\n", "%%timeit\n", "  ", "%%capture\n\n"]
# Ends of lines to one, white space or nothing to another of Python's, IPython's and JavaScript's functions.
SPACES = ["\u00a0", "\ufeff", "\u2028", "\u0085", "\u3000", "\u200b"]
SPLICES = ["!", "%", "?", ";", "\n", "\\\n", " ", "(", "'", '"""', "\t", "$", "#"]


def cell(known: list[str], choose: random.Random) -> str:
    """Up to four statements and magics; some with a semicolon at the end, or damaged."""
    parts = []
    for _ in range(choose.choice([1, 1, 2, 2, 3, 4])):
        if choose.random() < 0.45:
            part = choose.choice(MAGICS)
        else:
            part = min(choose.choices(known, k=3), key=len).rstrip("\n")
            for _ in range(choose.choice([0, 0, 1, 2])):
                changed = edit(part, choose)
                if is_python(changed, choose) or choose.random() < 0.05:
                    part = changed
        parts.append("\n" * choose.choice([0, 0, 0, 0, 1, 2]) + part)
    text = "\n".join(parts)
    if choose.random() < 0.15:
        text += choose.choice(ENDS)
    if choose.random() < 0.1:
        text = choose.choice(BEGINNINGS) + text
    if choose.random() < 0.15:
        at = choose.randrange(len(text) + 1)
        text = text[:at] + choose.choice(SPLICES) + text[at:]
    return text


def spaced(known: list[str], choose: random.Random) -> str:
    """A cell with special spaces, most of them where a line or a word begins or ends."""
    text = cell(known, choose)
    for _ in range(choose.choice([1, 1, 2, 3])):
        places = [found.start() for found in re.finditer(r"^|$|\b", text, re.MULTILINE)] or [0]
        at = choose.choice(places)
        text = text[:at] + choose.choice(SPACES) + text[at:]
    return text
