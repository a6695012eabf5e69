"""Trees of files and command lines over them, made at random."""

import json
import os
import random
import re
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
    "unstable = true",
    'preview = true\nenable-unstable-feature = ["hug_parens_with_braces_and_square_brackets"]',
    'enable-unstable-feature = "string_processing"',
    'enable-unstable-feature = ["none"]',
    'required-version = "26"',
    'required-version = "25.1.0"',
    "required-version = 26",
    'target-version = ["py39", "py312"]',
    'target-version = ["PY39"]',
    "target-version = [39]",
    "color = true",
    'color = "maybe"',
    "verbose = true",
    "ipynb = true",
    "no-cache = true",
    'cache-dir = "kept"',
    'cache-dir = "a.py"',
    "code = 'x  =  1'",
    "python-cell-magics = 'mine'",
    "exclude = ['sub']",
    "include = 1",
    "extend-exclude = true",
    'exclude = """\n  sub  # one\n| b\\\\.py\n"""',
    "force-exclude = 2020-01-01",
    "line-length = true",
    "line-length = -5",
    "quiet = 1",
    'quiet = "Off"',
    "quiet = 0.0",
    "check = 'nope'",
    "workers = 'x'",
    "workers = 2.0",
    "--line-length = 50",
    "line-ranges = ['1-2']",
    '"line-length" = 0x20',
    "preview = inf",
    "line-length = 1e-5",
    "line-length = 1e16",
    'line-length = "\\u200b\\u00a0é\\U0001F600\\U000E0001"',
    "force-exclude = 1979-05-27T07:32:00.5Z",
    "fast = 07:32:00",
]
PYTHONS = [">=3.9", ">=3.8,<3.13", "==3.10.*", "~=3.11", "!=3.9", "<3.4", ">3.14", "3.9", "x", ">=2.7", ">=3.8.1", ""]
HEADS = ["[tool.black]\n"] * 8 + ["[tool.other]\n", "[tool]\nblack = {line-length = 30}\n", "[[tool.black]]\n", "tool = 1\n"]
FEATURES = [
    "string_processing",
    "hug_parens_with_braces_and_square_brackets",
    "wrap_comprehension_in",
    "simplify_power_operator_hugging",
    "wrap_long_dict_values_in_parens",
    "fix_if_guard_explosion_in_case_statement",
    "none",
]
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
            made[os.path.join(folder, "pyproject.toml")] = ("file", settings(choose))
        if choose.random() < 0.1:
            targets = [*list(made)[:3], "none", "/nonexistent/x.py", "../../out.py", "../out"]
            made.setdefault(os.path.join(folder, choose.choice(["link.py", "ln", "lnk.pyi"])), ("link", choose.choice(targets)))
    if choose.random() < 0.3:
        made[choose.choice([".git", ".git", ".hg", "sub/.git", "../.git"])] = ("folder", None)
    if choose.random() < 0.1:
        made["../config/black"] = ("file", settings(choose))
    return made | {"../out.py": ("file", MESSY), "../out/z.py": ("file", MESSY)}


def settings(choose: random.Random) -> bytes:
    """A file for `pyproject.toml`'s place."""
    head = choose.choice([*HEADS, f'[project]\nrequires-python = "{choose.choice(PYTHONS)}"\n[tool.black]\n'])
    table = "" if "black = " in head else "\n".join(choose.sample(SETTINGS, choose.choice([0, 1, 1, 2]))) + "\n"
    return (head + table).encode()


def surroundings(choose: random.Random) -> tuple[str, dict[str, str]]:
    """The folder in which the command runs, and variables of its environment, with `<base>` for the folder of all folders."""
    folder = choose.choice([*["."] * 8, "sub", "deep/er", "build"])
    variables = choose.choice([*[{}] * 8, {"BLACK_NUM_WORKERS": choose.choice(["1", "0", "x", "", " 1"])}, {"GITHUB_OUTPUT": "<base>/out/github"}])
    return folder, variables


def options(choose: random.Random) -> list[str]:
    expression = choose.choice(EXPRESSIONS)
    pool = [
        *[["--check"], ["--diff"], ["-q"], ["-v"]] * 2,
        ["--diff", "--color"],
        ["-l", choose.choice(["40", "88", "1", "0", "-1", "x", "1000000"])],
        *[["--fast"], ["--safe"], ["--fast", "--safe"], ["--pyi"], ["--ipynb"], ["--pyi", "--ipynb"]],
        ["--python-cell-magics", "mine"],
        ["-t", choose.choice(["py33", "py38", "py312", "PY38", "py99"])],
        ["-t", "py39", "-t", choose.choice(["py310", "py39", "py313"])],
        *[["-S"], ["-C"], ["--preview"], ["--unstable"], ["-x"], ["--no-cache"], ["-Sl30"], ["-qv"], ["--lin", "30"], ["--bogus"]],
        ["--preview", "--enable-unstable-feature", choose.choice(FEATURES)],
        [choose.choice(["--unstable", "-q"]), "--enable-unstable-feature", choose.choice(FEATURES)],
        ["--required-version", choose.choice(["26", "26.10.1", "26.10", "25.1.0", "", "x"])],
        ["--cache-dir", choose.choice(["kept", "sub", "a.py", "a.py/kept", ""])],
        [choose.choice(["--color", "--no-color", "-W1", "--workers=1", "--line-length=40", "--check=1", "-h=1", "-l", "-Wx", "-tpy39", "--"])],
        ["--line-ranges", choose.choice(LINES), "--line-ranges", choose.choice(LINES)],
        ["--line-ranges", choose.choice(LINES)],
        ["--workers", choose.choice(["1", "2", "0", "-1", "x"])],
        *[[flag, expression] for flag in ("--include", "--exclude", "--extend-exclude", "--force-exclude")],
        ["--config", choose.choice(["pyproject.toml", "sub/pyproject.toml", "none.toml", "sub", "a.py", "", "../config/black"])],
        ["--stdin-filename", choose.choice(["a.py", "sub/a.py", "none.pyi", "x.ipynb", "sub", "/abs/x.pyi", "sub/../a.py", "", "-", "link.py", "x.py/", "é/a.py", "../out.py"])],
    ]
    return [word for words in choose.sample(pool, choose.choice([0, 1, 1, 2, 2, 3, 4])) for word in words]


def inputs(choose: random.Random, made: dict) -> list[str]:
    """What is to be formatted."""
    kind = choose.random()
    if kind < 0.4:
        return ["."]
    if kind < 0.75:
        if choose.random() < 0.3:
            return [choose.choice(["./", "sub", "..", "sub/", "ln", "link.py", "../work", ".git", "x.py", "build", "../out"])]
        known = [*(name for name, (kind, _) in made.items() if kind == "file"), "a.py", "none.py", "./a.py", "sub/../a.py"]
        if choose.random() < 0.2:
            known += ["sub", ".", "build", "deep", "é"]
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
        if re.search(r"(?:^|/)\d+\.\d+\.\d+/", name):
            continue  # A cache's, whose folder has the name of a version.
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = (path.stat().st_mode, path.read_bytes())
    return found
