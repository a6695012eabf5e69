"""Blank lines between statements, directives of every spelling in odd places, and whole notebooks."""

import json
import random
import re

from cells import cell

LEAVES = [
    "x = 1",
    "x: int",
    "import a",
    "from a import b",
    "from __future__ import annotations",
    "pass",
    "...",
    "return",
    "'''doc'''",
    "'doc'",
    "f()",
    "x = [\n  1,\n]",
    "if x: pass",
    "def f(): ...",
    "def f(): pass",
    "class A: ...",
    "class A: x: int",
    "@overload\ndef f(): ...",
    "@a\n# c\n@b\ndef f(): ...",
    "async def f(): ...",
    "try: import a\nexcept A: a = None",
    "for x in y: ...",
    "with a: ...",
    "while x: ...",
    "x = lambda: (yield)",
    "type X = int",
    "__all__ = ['a']",
    "else_ = 1",
]
BLOCKS = [
    "def f():",
    "def f(a) -> b:",
    "async def f():",
    "class A:",
    "class A(B):",
    "@a\ndef f():",
    "@a\n\n@b\nclass A:",
    "if x:",
    "if TYPE_CHECKING:",
    "if sys.version_info >= (3, 8):",
    "else:",
    "elif y:",
    "for x in y:",
    "while x:",
    "with a:",
    "try:",
    "except A:",
    "finally:",
    "match x:",
    "case 1:",
    "@overload\ndef f(a):",
    "def f(\n  a,\n):",
]
NOTES = ["# c", "# c", "#c", "#!c", "#", "# type: ignore", "# fmt: off", "# fmt: on", "# fmt: skip", "#: c", "# region", "# %%", "# -*- coding: utf-8 -*-"]


def blanks(choose: random.Random) -> str:
    """Short statements in blocks with blank lines and comments between them."""
    lines: list[str] = []
    depth = 0
    must_indent = False
    share = choose.choice([0.1, 0.3, 0.5])
    for _ in range(choose.randint(2, 10)):
        if must_indent:
            depth += 1
        elif depth and choose.random() < 0.4:
            depth -= choose.randint(1, depth)
        pad = "    " * depth
        while choose.random() < share:
            kind = choose.random()
            if kind < 0.6:
                lines.extend([choose.choice(["", "", "", "    ", "\f"])] * choose.choice([1, 1, 2, 3]))
            else:
                margin = choose.choice([pad, pad, pad, "", "    ", "  ", pad + "    "])
                lines.append(margin + choose.choice(NOTES))
        opens = choose.random() < (0.45 if depth < 4 else 0)
        text = choose.choice(BLOCKS if opens else LEAVES)
        lines.extend(pad + line for line in text.split("\n"))
        if choose.random() < 0.1:
            lines[-1] += choose.choice(["  # c", "  # fmt: skip", ";", " # type: ignore"])
        must_indent = opens
    if must_indent:
        lines.append("    " * (depth + 1) + choose.choice(LEAVES[:6]))
    lines.extend([""] * choose.choice([0, 0, 1, 3]))
    return "\n".join(lines) + choose.choice(["\n", "\n", "\n", ""])


SPELLINGS = [
    "# fmt: off",
    "# fmt: on",
    "# fmt: skip",
    "# fmt:off",
    "#fmt: on",
    "#fmt:skip",
    "# fmt:  skip",
    "#  fmt: skip",
    "# FMT: off",
    "# Fmt: skip",
    "# fmt: off # c",
    "# c # fmt: off",
    "# fmt: skip # noqa",
    "# noqa # fmt: skip",
    "# noqa; fmt: skip",
    "# fmt: skip; noqa",
    "# fmt: skip, noqa",
    "# c; fmt:skip ; d",
    "# fmt: skipped",
    "# fmt: offset",
    "# fmt: on # fmt: off",
    "# fmt: skip # fmt: off",
    "## fmt: off",
    "#: fmt: off",
    "#! fmt: skip",
    "# yapf: disable",
    "#yapf: enable",
    "# yapf:disable",
    "# yapf: disable # c",
    "# pylint: disable=a # fmt: skip",
    "# type: ignore # fmt: skip",
    "# type: int # fmt: skip",
    "#\tfmt: skip",
    "#\u00a0fmt: skip",
    "# fmt : off",
    "# fmt: ",
    "# fmt: skip\t",
    "# fmt: skip   ",
    "# pragma: no cover # fmt: skip",
    "# é # fmt: skip",
]
FRAMES = [
    "x  = 1§",
    "x  = [  1,\n  2§,\n  3]§",
    "x  = [§\n  1,  2§\n]§",
    "f( a,§\n b  )§",
    "if  x :§\n    y  = 1§\nelif  z :§\n    pass\nelse :§\n    pass§",
    "def  f( a,§\n  b  = 1 ,§\n) -> c :§\n    return  1§",
    "@ a§\n@ b ( c )§\ndef  f( ) :§\n    pass",
    "class  A( B ) :§\n    x  = 1§\n    y  = 2",
    "try :§\n    pass§\nexcept  A :§\n    pass\nfinally :§\n    pass",
    "with  a  as b ,  c :§\n    pass§",
    "with (  a  as b ,§\n  c ):§\n    pass",
    "for  x  in y :§\n    pass\nelse :§\n    pass",
    "match  x :§\n    case  1 :§\n        pass§\n    case  _ if  a :§\n        pass",
    "x  = 1 ; y  = 2§",
    "x  = 1 ;§",
    "if  x : y  = 1§",
    "while  x : a ; b  = 1§",
    "import  a ,  b§",
    "from  a  import ( b ,§\n  c )§",
    "x  = '''a\n  b'''§",
    "f( '''a\n  b'''  )§",
    "x  = a \\\n  + b§",
    "del  ( a ),  b§",
    "return  ( a\n  + b )§",
    "x  = {  'a' : 1 ,§\n  'b' : [ 1 ,§\n 2 ] }§",
    "a . b( c )§\n  . d",
    "(  a§\n  . b( )§\n  . c( )\n)§",
    "x  = lambda  a : (§\n  a  )",
    "x  = a  if  b  else  (§\n  c )",
    "assert  x ,  (§\n 'm'  )§",
    "type  X [ T ]  = int§",
    "'''doc'''§",
    "x :  int  = 1§",
    "async  def  f( ) :§\n    async  with  a :  pass§",
    "lambda  :  1§",
    "§",
    "§\n\n§",
]


def spelled(choose: random.Random) -> str:
    """Directives in any spelling, wherever a comment may stand."""
    source = ""
    for _ in range(choose.choice([1, 1, 2, 3])):
        share = choose.choice([0.2, 0.4, 0.8])
        frame = choose.choice(FRAMES)
        if choose.random() < 0.25 and "'''" not in frame:
            head = choose.choice(["if x:", "def f():", "class A:", "for x in y:", "with a:"])
            frame = head + "§\n" + re.sub("^(?=.)", "    ", frame, flags=re.M)

        def comment(_: re.Match, share: float = share) -> str:
            if choose.random() > share:
                return ""
            return choose.choice(["  ", " ", "", "    "]) + choose.choice(SPELLINGS)

        for line in frame.split("\n"):
            if choose.random() < share / 4:
                pad = line[: len(line) - len(line.lstrip())]
                source += choose.choice([pad, pad, pad + "    ", ""]) + choose.choice(SPELLINGS) + "\n"
            source += re.sub("§", comment, line) + "\n"
        source += "\n" * choose.choice([0, 0, 1, 2])
    return source


def notebook(known: list[str], choose: random.Random) -> str:
    """A whole notebook: cells of any kind, and metadata that may say it is no Python."""
    cells = []
    for _ in range(choose.choice([0, 1, 1, 2, 3])):
        text: object = cell(known, choose)
        if choose.random() < 0.7:
            text = re.split(r"(?<=\n)", str(text))
            if choose.random() < 0.05:
                text = []
        one = {"cell_type": choose.choice(["code"] * 6 + ["markdown", "raw"]), "metadata": {}, "source": text}
        if one["cell_type"] == "code":
            one |= {"execution_count": choose.choice([None, 1]), "outputs": choose.choice([[], [{"output_type": "stream", "text": ["é\u2028\n"]}]])}
        if choose.random() < 0.3:
            one["metadata"] = choose.choice([{"tags": ["a"]}, {"vscode": {"languageId": "python"}}, {"vscode": {"languageId": "sql"}}, {"trusted": True, "é": 1.0}])
        if choose.random() < 0.3:
            one = dict(sorted(one.items(), key=lambda _: choose.random()))
        cells.append(one)
    language = choose.choice([None, "python", "python", "python", "R", "julia", "", 3])
    metadata: dict = {} if language is None else {"language_info": {"name": language}}
    if choose.random() < 0.2:
        metadata["kernelspec"] = {"display_name": "Python 3", "language": choose.choice(["python", "R"]), "name": "python3"}
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": choose.choice([4, 5])}
    if choose.random() < 0.05:
        whole.pop(choose.choice(list(whole)))
    indent = choose.choice([1, 1, 1, 2, 4, None, "\t"])
    text = json.dumps(whole, indent=indent, ensure_ascii=choose.random() < 0.3, sort_keys=choose.random() < 0.2)
    return text + choose.choice(["\n", "\n", "", "\n\n", " "])


LAYOUTS = {"blanks": blanks, "spelled": spelled}
