"""Definitions as stubs hold them, and what stands between them."""

import random

PARTS = {
    "leaf": [
        "x: int",
        "x: int = ...",
        "x = 1",
        "def f(): ...",
        "def f(self, a: int) -> str: ...",
        "def f():\n    '''doc'''",
        "def f():\n    '''doc'''\n    ...",
        "def f():\n    ...",
        "def f(): pass",
        "@overload\ndef f(): ...",
        "@typing.overload\ndef f(a): ...",
        "@overload\ndef g(): ...",
        "@overload\nasync def f(): ...",
        "@property\ndef f(self): ...",
        "@f.setter\ndef f(self, v): ...",
        "@a\n@overload\ndef f(): ...",
        "class A: ...",
        "class A(B): ...",
        "class A:\n    ...",
        "@a\nclass A: ...",
        "class A: x: int",
        "class A:\n    '''doc'''",
        "import a",
        "from a import b",
        "'''doc'''",
        "...",
        "pass",
        "if x: ...",
        "type X = int",
        "async def f(): ...",
        "__slots__ = ()",
        "del x",
        "f()",
        "with a: ...",
        "for x in y: ...",
        "try: ...\nexcept A: ...",
    ],
    "head": [
        "class A:",
        "class A(B):",
        "@a\nclass A:",
        "@a\n# c\n@b\nclass A:",
        "def f():",
        "@overload\ndef f(a):",
        "async def f(a):",
        "if sys.version_info >= (3, 8):",
        "if TYPE_CHECKING:",
        "else:",
        "elif x:",
        "try:",
        "except A:",
        "with a:",
        "for x in y:",
        "class A:\n    # c",
        "class A:\n\n    '''doc'''",
        "class A:  # c",
        "match x:",
        "case 1:",
    ],
    "note": ["# c", "# c", "#", "#!x", "# fmt: off", "# fmt: on", "# fmt: skip", "# region", "# type: ignore", "# c\n# d", "# c\n\n# d"],
}


def stubs(choose: random.Random) -> str:
    """Definitions with a line each, overloads, decorated and nested ones, with blank lines and comments around them."""
    lines: list[str] = []
    depth = 0
    opened = False
    blank, noted = choose.choice([(0.1, 0.05), (0.3, 0.1), (0.5, 0.3), (0.2, 0.3), (0, 0)])
    for _ in range(choose.randint(2, 12)):
        if opened:
            depth += 1
        elif depth and choose.random() < 0.35:
            depth -= choose.randint(1, depth)
        pad = "    " * depth
        for _ in range(2):
            if choose.random() < blank:
                lines.extend([""] * choose.choice([1, 1, 2, 3]))
            if choose.random() < noted:
                margin = choose.choice([pad, pad, pad, "", pad + "    "])
                lines.extend(margin + line if line else "" for line in choose.choice(PARTS["note"]).split("\n"))
        opened = choose.random() < (0.35 if depth < 3 else 0)
        text = choose.choice(PARTS["head" if opened else "leaf"])
        lines.extend(pad + line if line else "" for line in text.split("\n"))
        if choose.random() < noted / 2:
            lines[-1] += choose.choice(["  # c", "  # fmt: skip", "  # type: ignore"])
    if opened:
        lines.append("    " * (depth + 1) + choose.choice(["...", "pass", "x: int", "def f(): ...", "'''doc'''"]))
    return "\n".join(lines) + "\n" * choose.choice([1, 1, 1, 0, 3])


STUBS = {"stubs": stubs}
