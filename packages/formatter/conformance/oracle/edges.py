"""Statements at the edges of directives, of blocks, of files and of the lines that are formatted."""

import random

from checked import paired
from made import HEADS, SIMPLE, TAILS, commented, directives, indent, match, program

PROLOGUES = [
    "# fmt: off\n# fmt: on\n",
    "# yapf: disable\n# yapf: enable\n",
    "# fmt: off\n# TABLE = [1,  2]\n# fmt: on\n",
    "# fmt: off\n# yapf: enable\n",
    "# c\n# fmt: off\n\n# fmt: on\n# d\n",
    "# fmt: off\n# fmt: on\n# fmt: skip\n",
    "# fmt: skip\n",
    "# fmt: off\n# fmt: on\n# fmt: off\n# fmt: on\n",
    "\n# fmt: off\n# fmt: on\n\n",
]
EXPRESSIONS = ["f'{ a }'", "-a", "not a", "await b", "*a,", "(yield)", "lambda: a", "[ a ]", "( a, b )", "a . b( c )", "'s'", "a if b else c"]


def behind(choose: random.Random) -> str:
    """A statement of any kind, or an expression in brackets, directly behind directives that hold nothing but comments."""
    if choose.random() < 0.2:
        opening, closing = choose.choice(["()", "[]", "{}", ("f(", ")"), ("x = (", ")"), ("def f(", "): pass")])
        items = "".join(choose.choice(PROLOGUES) + f"    {choose.choice(EXPRESSIONS)},\n" for _ in range(choose.choice([1, 2])))
        return f"{opening}  {choose.choice(['', '# c'])}\n{items}{closing}\n"
    text = choose.choice(["", "", "", "x  = 1\n", "import a\n", "def f():\n    pass\n", "if x:\n    pass\n", "@a\n"])
    for _ in range(choose.choice([1, 1, 2])):
        text += choose.choice(PROLOGUES)
        pick = choose.random()
        if pick < 0.3:
            text += choose.choice(SIMPLE) + "\n"
        elif pick < 0.4:
            text += match(choose, 2)
        else:
            head = choose.choice(HEADS)
            text += head + choose.choice([" pass\n", "\n    pass\n", "  # c\n    ...\n"])
            tails = TAILS.get(head.split()[0].split("(")[0], [])
            if head.startswith("try") or (tails and choose.random() < 0.3):
                text += choose.choice(["", choose.choice(PROLOGUES)]) + choose.choice(tails) + "\n    pass\n"
    text += choose.choice(["", "", "# fmt: off\n", "# fmt: on\n", "#\n", "y  = 2\n"])
    for _ in range(choose.choice([0, 0, 1, 2])):
        text = choose.choice(HEADS) + "\n" + indent(text, choose.choice(["    ", "  ", "\t"]))
    return text


ENDINGS = [" \\", "\\", " \\\n", "\\\n", " \\\n\n", " \\\n  ", "\\\n\\", "  # c", "  # c \\", " \\\n# c", "", "\n", "\n\\", "\n    \\\n", "\n\n", "\n# c \\", ";", "; \\\n", "\f", "\n\t", "\n  # c\n # d"]
OPEN = ["try:", "if x:", "def f():", "class A:", "@d", "match x:", "match x:\n    case 1:", "else:", "for a in b:", "with a:", "f(", "x = [", "'''a", "x = f'{"]


def ended(choose: random.Random) -> str:
    """A file that may end in the middle of something: behind a backslash, in a block that lacks a clause, in a bracket."""
    text = ""
    depth = 0
    for _ in range(choose.choice([0, 1, 1, 2, 3])):
        text += "  " * depth + choose.choice(OPEN) + choose.choice(["", "", "", "  # c", " \\"]) + "\n"
        depth += choose.choice([1, 1, 1, 0])
    text += "  " * depth + choose.choice(["c", "pass", "x  = 1", "'s'", "f()", ")", "", "return", "a +"])
    return text + choose.choice(ENDINGS)


def ranged(choose: random.Random) -> str:
    """Directives and comments of which only some lines are formatted."""
    return choose.choice([directives, paired, program, commented, behind])(choose)


EDGES = {"behind": behind, "ended": ended, "ranged": ranged}
