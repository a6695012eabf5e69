"""Trees of files and command lines over them, made at random."""

import json
import os
import random
from pathlib import Path

MESSY = b"x  = 1\ny = {  'a':1 }\n"
SOURCES = [
    *[MESSY] * 3,
    *[b"x = 1\n"] * 2,
    b"def f(:\n  pass\n",
    b"",
    b"\n\n",
    b"   ",
    b"x  = 1\r\ny = 'a'\r\n",
    b"\xef\xbb\xbfx  = 1\n",
    b"\xff\xfe",
    b'# coding: latin-1\nx  = "\xe9"\n',
    b"# coding: nope\nx=1\n",
    b"x = 1",
    b'print "a"\n',
    b"match x:\n  case 1: pass\n",
    b"with (a as b, c as d): pass\n",
    b"#!/usr/bin/env python\nx  = 1\n",
    b"x  = 1 \r",
    b"class A:\n\n\n  x: int\n",
    b"def f():\n  return  1\n\n\n\ndef g(): ...\n",
    b"\x0c\nx=1\n",
    b"# fmt: off\nx  = 1\n",
    b"\x00",
    b"x = '''a\r\nb'''\n",
    b"f(  a,)\n",
    b"async = 1\n",
    b"this_is_a_long_line = ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb']\n",
]
FOLDERS = "sub|a b|é|[x]|build|venv|.git|.venv|node_modules|.hid|x.py|deep/er|Sub|__pycache__|a{1}|+|$y|sub/build|#d|!d|d ".split("|")
FILES = (
    "a.py|b.py|c.pyi|d.ipynb|e.txt|__init__.py|.h.py|F.PY|g.py.py|[i].py|é.py|j k.py|setup.py|script|x.py~|k.pyi|n.ipynb|a.py.orig|-h.py"
    "|{z}.py|$v.py|!n.py|#c.py|e .py|\"q\".py|q'.py|l\\m.py"
).split("|")
IGNORED = (
    "a.py|*.py|sub|sub/|/sub|/a.py|**/a.py|sub/**|sub/*|!a.py|!sub/a.py|*.pyi|!*.pyi|# c||  |*|!*|/*|!/sub|[ab].py|?.py|a b|\\#c.py|\\!n.py|é/"
    "|x.py/|*.ipynb|deep/er|er|deep/**/a.py|**|**/|!**/|a.py |[!a].py|[^a].py|*/a.py|[[]i].py|[a-c].py|./a.py|{a,b}.py|A.PY|sub//a.py|/|[a|***"
    "|**.py|sub/**/|.*|[]-]a.py|\ta.py|a.py\t"
).split("|")
EXPRESSIONS = [
    *"a\\.py|sub|/sub/|^/sub/|/a\\.py$|\\.pyi?$||.|^/|b|[ab]\\.py$|(?i)SUB|é|a b|\\.ipynb$|script|^/deep/er|\\[i\\]|(?!a)b|x\\.py/|/$|//|^$".split("|"),
    "(sub|build)",
    "(?x)\n a # c\n|b",
    "(?P<n>a)\\.py",
    "a{1}",
    "(",
    "*a",
    "\\Asub",
]
SETTINGS = [
    "line-length = 40",
    'line-length = "40"',
    "line_length = 40",
    "line-length = 1.5",
    "preview = true",
    'preview = "yes"',
    "skip-string-normalization = true",
    "skip-magic-trailing-comma = true",
    'target-version = ["py38"]',
    'target-version = "py38"',
    'target-version = ["py99"]',
    "target-version = []",
    "include = '\\.pyi?$'",
    "exclude = 'sub'",
    "exclude = ''",
    'exclude = "("',
    "extend-exclude = '^/sub/'",
    "force-exclude = 'a\\.py'",
    "fast = true",
    "quiet = true",
    "check = true",
    "diff = true",
    "workers = 1",
    "workers = 0",
    "pyi = true",
    'enable-unstable-feature = ["string_processing"]',
    'python-cell-magics = ["mine"]',
    "skip-source-first-line = true",
]
PYTHONS = [">=3.9", ">=3.8,<3.13", "==3.10.*", "~=3.11", "!=3.9", "<3.4", ">3.14", "3.9", "x", ">=2.7", ">=3.8.1", ""]
HEADS = ["[tool.black]\n"] * 8 + ["[tool.other]\n", "[tool]\nblack = {line-length = 30}\n"]
LINES = ["1-1", "1-2", "2-2", "0-1", "2-1", "1", "a-b", "1-1000", "-1-2", "1-2-3", " 1-2"]


def cell(source: str, **metadata: object) -> bytes:
    one = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [source]}
    return json.dumps({"cells": [one], "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}, indent=1).encode() + b"\n"


NOTEBOOKS = [cell("x  = 1"), cell("x = 1"), cell("%%time\nx  = 1;"), cell("%%mine\nx  = 1"), b"", b"not json", cell("x  = 1", language_info={"name": "R"}), cell("!ls\nx  =  1")]


def tree(choose: random.Random) -> dict[str, tuple[str, object]]:
    """Paths below the working folder, each with "file" and its bytes, "link" and where it leads, or "folder" and nothing."""
    folders = ["", *choose.sample(FOLDERS, choose.choice([0, 1, 1, 2, 3]))]
    made: dict[str, tuple[str, object]] = {}
    for folder in folders:
        for name in choose.sample(FILES, choose.choice([1, 2, 3, 4])):
            name = "a.py" if choose.random() < 0.3 else name
            made[os.path.join(folder, name)] = ("file", choose.choice(NOTEBOOKS if name.endswith(".ipynb") else SOURCES))
        if choose.random() < 0.25:
            lines = choose.sample(IGNORED, choose.choice([1, 1, 2, 3, 5]))
            made[os.path.join(folder, ".gitignore")] = ("file", ("\n".join(lines) + choose.choice(["\n", "", "\r\n"])).encode())
        if choose.random() < (0.1 if folder else 0.3):
            head = choose.choice([*HEADS, f'[project]\nrequires-python = "{choose.choice(PYTHONS)}"\n[tool.black]\n'])
            table = "" if "black = " in head else "\n".join(choose.sample(SETTINGS, choose.choice([0, 1, 1, 2]))) + "\n"
            made[os.path.join(folder, "pyproject.toml")] = ("file", (head + table).encode())
        if choose.random() < 0.1:
            targets = [*list(made)[:3], "none", "/nonexistent/x.py", "../../out.py", "../out"]
            made.setdefault(os.path.join(folder, choose.choice(["link.py", "ln", "lnk.pyi"])), ("link", choose.choice(targets)))
    if choose.random() < 0.3:
        made[".git"] = ("folder", None)
    return made | {"../out.py": ("file", MESSY), "../out/z.py": ("file", MESSY)}


def options(choose: random.Random) -> list[str]:
    expression = choose.choice(EXPRESSIONS)
    pool = [
        *[["--check"], ["--diff"], ["-q"], ["-v"]] * 2,
        ["--diff", "--color"],
        ["-l", choose.choice(["40", "88", "1", "0", "-1", "x", "1000000"])],
        *[["--fast"], ["--safe"], ["--fast", "--safe"], ["--pyi"], ["--ipynb"], ["--pyi", "--ipynb"]],
        ["--python-cell-magics", "mine"],
        ["-t", choose.choice(["py33", "py38", "py312", "PY38", "py99"])],
        *[["-S"], ["-C"], ["--preview"], ["--unstable"], ["-x"], ["--no-cache"], ["-Sl30"], ["-qv"], ["--lin", "30"], ["--bogus"]],
        ["--preview", "--enable-unstable-feature", "string_processing"],
        ["--line-ranges", choose.choice(LINES)],
        ["--workers", choose.choice(["1", "2", "0", "-1", "x"])],
        *[[flag, expression] for flag in ("--include", "--exclude", "--extend-exclude", "--force-exclude")],
        ["--config", choose.choice(["pyproject.toml", "sub/pyproject.toml", "none.toml"])],
        ["--stdin-filename", choose.choice(["a.py", "sub/a.py", "none.pyi", "x.ipynb", "sub", "/abs/x.pyi", "sub/../a.py"])],
    ]
    return [word for words in choose.sample(pool, choose.choice([0, 1, 1, 2, 2, 3, 4])) for word in words]


def inputs(choose: random.Random, made: dict) -> list[str]:
    """What is to be formatted."""
    kind = choose.random()
    if kind < 0.4:
        return ["."]
    if kind < 0.75:
        if choose.random() < 0.3:
            return [choose.choice(["./", "sub", "..", "sub/", "ln", "link.py"])]
        known = [*(name for name, (kind, _) in made.items() if kind == "file"), "a.py", "none.py", "./a.py", "sub/../a.py"]
        # A file that is named twice is formatted once, on purpose.
        chosen = {os.path.normpath(name): name for name in choose.sample(known, choose.choice([1, 1, 2, 3]))}
        return list(chosen.values())
    if kind < 0.87:
        return ["-"]
    return choose.choice([["-", "a.py"], [], *[["-c", code] for code in ("x  = 1", "x = 1", "def f(:", "", "\n", "x=1;")]])


def stdin(choose: random.Random) -> bytes:
    return choose.choice([MESSY, b"x = 1\n", b"", b"def f(:\n", b"\n\n", b"x  = 1\r\n", NOTEBOOKS[0], b"\xef\xbb\xbfx  =1\n"])


def lay(folder: Path, made: dict[str, tuple[str, object]]) -> None:
    folder.mkdir(parents=True)
    for name, (kind, what) in made.items():
        path = Path(os.path.normpath(folder / name))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "folder":
                path.mkdir(exist_ok=True)
            elif kind == "link":
                path.symlink_to(str(what))
            elif not path.is_symlink():
                path.write_bytes(what)
                os.utime(path, (1_700_000_000, 1_700_000_000))
        except (NotADirectoryError, IsADirectoryError, FileExistsError):
            continue  # Two of the names cannot both be there.


def contents(folder: Path) -> dict[str, object]:
    """What is below the folder: links by their targets, files by their bytes and permissions."""
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = (path.stat().st_mode, path.read_bytes())
    return found
