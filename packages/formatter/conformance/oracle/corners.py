"""Statements in whose corners few programs go: parentheses that mean nothing, names that are nearly keywords, commas that
force a split, definitions that do nothing, versions that a file's own syntax gives away."""

import random
import re

from edits import spans
from expand import Grammar
from made import indent
from woven import GRAMMAR as WOVEN_GRAMMAR, COMMENTS, mostly_python

NAMES = (
    "a b x self match case type lazy _ print exec async_ größe some_object another_rather_long_function_name"
    " a_name_that_alone_is_longer_than_many_a_line_may_be_in_the_styles_that_are_narrow"
    " a_name_that_alone_is_longer_than_any_line_may_be_in_the_style_that_everybody_has_by_default_unless_told"
).split()

# A value between parentheses, of which any number may stand around it, with comments behind the opening one or before the
# closing one.
WRAPPED = {
    "v": [
        "<n>", "<n>", "<n>.<n>", "<n>(<v>)", "<n>(<n>)[<n>]", "-<n>", "not <w>", "<n> + <w>", "<n> ** <w>", "<n> and <w>", "<n>, <n>", "<n>,", "()", "[]",
        "[<w>]", "<n> if <w> else <w>", "lambda: <w>", "lambda <n>: <w>", "await <w>", "yield", "yield <w>", "yield <n>, <w>", "<n> := <w>", "*<n>, <n>",
        "*<w>,", "<n> for <n> in <w>", "1", "'s'", "'s' 's'", "'''a\nb'''", "f'{<n>}'", "...", "{<n>: <w>}", "{<w>}", "<n> in <w>", "<n> == <w> == <n>",
        "<w>.<n>", "<w>(<n>)", "<w>[<w>]", "1.5", "0x1F", "1j", "-1", "<n> is not <w>", "<n> % <w>", "'%s' % <w>", "~<w>", "yield from <w>",
    ],
    "w": ["<v>", "(<v>)", "(<v>)", "((<v>))", "(§<v>§)", "(§(§<v>§)§)", "(§<v>,§)"],
    "t": ["<n>", "(<n>)", "((<n>))", "(§<n>§)", "<n>, <n>", "(<n>, <n>)", "((<n>, <n>))", "(<n>,)", "<n>,", "[<n>]", "<n>[<w>]", "(<n>[<w>])", "<w>.<n>", "(<n>.<n>)", "*<n>, <n>", "(*<n>, <n>)", "([<n>, <n>])", "()"],
    "p": ["<n>", "_", "1", "-1", "'s'", "(<p>)", "((<p>))", "(§<p>§)", "<p> | <p>", "(<p> as <n>)", "[<p>, *<n>]", "(<p>, <p>)", "(<p>,)", "<n>(<p>)", "<n>(<n>=(<p>))", "{1: (<p>)}", "<n>.<n>", "(<n>.<n>)", "*<n>, <p>", "()", "[]", "<p>,", "1 + 2j"],
    "s": [
        "<t> = <w>", "<t> = <t> = <w>", "<t> = <w>", "<n> += <w>", "<n>: <w> = <w>", "(<n>): <w>", "<n>.<n>: <w> = <w>", "<w>", "return <w>", "return <w>, <w>",
        "return <w>.<n>", "yield <w>", "<n> = yield <w>", "await <w>", "<n> = await <w>", "raise <w>", "raise <w> from <w>", "assert <w>", "assert <w>, <w>",
        "del <t>", "del <t>, <t>", "del (<t>, <t>)", "del <w>", "print(<w>)", "print(<w>, <w>)", "print(*<w>, **<w>)", "<n>[<w>] = <w>", "<n>[<w>:<w>]",
        "<n>(<n>=<w>)", "type <n> = <w>", "type <n>[<n>: <w>] = <w>", "global <n>", "from <n> import (<n>)", "from <n> import (§<n> as <n>,§<n>§)", "import <n>.<n> as <n>", "pass", "<n> = <w>, <w>", "<n> = *<w>, <n>", "f'{<w>}'",
    ],
    "h": [
        "if <w>:", "if <w> and <w>:", "while <w>:", "while not <w>:", "for <t> in <w>:", "for <t> in <w>, <w>:", "async for <t> in <w>:", "with <w>:", "with <w> as <t>:",
        "with <w>, <w>:", "with <w> as <t>, <w>:", "with (<w> as <t>):", "with (<w>, <w>):", "with (<w>, <w>,):", "with (<w> as <t>, <w> as <t>,):", "with (§<w>§) as <t>:", "async with <w> as <t>:", "with (<w>) as <t>, (<w>) as <t>:", "with <w> as (<t>):",
        "class <n>(<w>):", "class <n>(<w>, <n>=<w>):", "class <n>():", "class <n>(§):", "def <n>(<n>=<w>) -> <w>:", "def <n>(<n>: <w>) -> <w>:", "def <n>() -> <w>:", "def <n>(§) -> (§<v>§):", "def <n>[<n>: <w>](*<n>: *<w>):", "@<w>\ndef <n>():", "@<w>\n@<n>\nclass <n>:", "async def <n>(<n>) -> <w>:",
        "match <w>:\n    case <p>:", "match <w>, <w>:\n    case <p> if <w>:", "match <t>:\n    case <p>:", "match (§<v>§):\n    case (§<p>§) if (§<v>§):",
    ],
    "x": ["except <w>:", "except <w> as <n>:", "except (<n>, <n>):", "except (<n>, <n>) as <n>:", "except <n>, <n>:", "except* <w>:", "except *(<n>, <n>):", "except (§<n>,§<n>,§):", "except (<n>):", "except:"],
    "d": ["else:", "elif <w>:"],
}
PARENS = Grammar(WRAPPED, words={"n": NAMES})


def commented(source: str, choose: random.Random) -> str:
    """Comments and line ends where the marks are, within parentheses."""
    share = choose.choice([0, 0.2, 0.5])
    few = choose.sample(COMMENTS, 2)

    def fill(_: re.Match) -> str:
        if choose.random() > share:
            return ""
        if choose.random() < 0.3:
            return "\n" * choose.choice([1, 1, 2])
        return choose.choice(["", " ", "  ", "\n", "\n    "]) + choose.choice(few) + "\n" + " " * choose.choice([0, 4])

    return re.sub("§", fill, source)


def block(choose: random.Random, depth: int = 0) -> str:
    text = ""
    for _ in range(choose.choice([1, 1, 1, 2])):
        budget = choose.choice([3, 6, 10, 20])
        pick = choose.random()
        if depth > 1 or pick < 0.55:
            text += commented(PARENS.expand("s", choose, budget), choose) + choose.choice(["\n", "\n", "\n", "  # c\n", "; pass\n"])
        elif pick < 0.9:
            head = commented(PARENS.expand("h", choose, budget), choose)
            inner = indent(block(choose, depth + 1), "    ") if choose.random() < 0.7 else ""
            inner = indent(inner, "    ") if head.startswith("match") else inner
            text += head + ("\n" + inner if inner else " ...\n")
            if head.startswith(("if", "while", "for")) and choose.random() < 0.3:
                clause = PARENS.expand("d", choose, budget) if head.startswith("if") else "else:"
                text += commented(clause, choose) + "\n    pass\n"
        else:
            text += "try:\n    pass\n" + commented(PARENS.expand("x", choose, budget), choose) + "\n" + indent(block(choose, depth + 1), "    ")
    return text


def parens(choose: random.Random) -> str:
    """Parentheses that mean nothing, or little, in every place that has any."""
    return mostly_python(lambda: block(choose), choose)


# What shows that a file is for a newer Python, and what is laid out otherwise when it is.
TELLING = [
    "f'{a}'", "f'{a=}'", "x = 1_000", "def f(a, /): pass", "(x := 1)", "async def f():\n    yield", "async def f():\n    async for a in b: pass", "async def f():\n    return [a async for a in b]",
    "try: pass\nexcept* A: pass", "print(*a, **b)", "def f():\n    return *a, b", "def f():\n    yield *a, b", "@a[0]\ndef f(): pass", "@a.b.c\ndef f(): pass", "@(a)\ndef f(): pass", "@a(b)(c)\ndef f(): pass", "x[a := 1]", "x[*a]", "x[*a, b:c]",
    "def f(*a: *b): pass", "for x in *a, b: pass", "type X = int", "def f[T](): pass", "class A[T]: pass", "def f[T = int](): pass", "with (a as b): pass", "with (a, b): pass", "with (a as b, c,): pass",
    "from __future__ import annotations", "async = 1", "await = 1", "def async(): pass", "match x:\n    case 1: pass", "try: pass\nexcept A, B: pass", "lazy import a", "[*a for a in b]", "t'{a}'", "x: int = 1", "x: Tuple = *a, b", "x: int",
    "print('a', end='')", "print 'a'", "exec 'a'", "def f(*, a): pass", "def f(*a, b): pass", "f(*a, b)", "f(a, *b, c,)", "def f(*a,): pass", "f(**a,)", "class A(*a,): pass", "nonlocal a", "raise a from b", "u'a'", "b'é'", "0o17", "0777", "a <> b", "`a`",
    "async with a: pass", "async for a in b: pass", "await a", "x = yield", "with a as b, c as d: pass", "def f(a: int) -> int: pass", "f'{f'{a}'}'", "f'{\"\\n\"}'", "from __future__ import print_function, unicode_literals", "from __future__ import division as d", "",
]
LAID_OUT = [
    "<call>(*<w>, <arg+>)", "<w> = <w>(<arg+>, *<w>, **<w>)", "<w>(**<call>)", "def <w>(<param+>, *<w>, **<w>): pass", "def <w>(<w>, *, <param+>)<ret>: pass", "class <w>(<w>, *<w>): pass", "def <w>(*<w>: <ann>, <param+>)<ret>: pass", "def <w>[<tp+>, *Ts](<param+>): pass",
    "with <with>, <with>: pass", "with <with>, <with>, <with>: pass", "with <call>, <call> as <w>: pass", "with <call>: pass", "with (<call>): pass", "with (<call> as <w>, <call> as <w>): pass", "with (<call>, <call>): pass", "async with <with>, <with>: pass", "with <call> as <w>, \\\n    <call> as <w>:\n    pass", "with (<e>) as <w>, <with>: pass", "with <w>(<arg+>,) as <w>: pass", "with (<w>): pass", "with (yield): pass", "with <s>, <s>: pass",
    "def f():\n    return (*<w>, <e>)", "def f():\n    return (<e>, *<w>)", "def f():\n    yield (*<w>, <e>)", "for <w> in (*<w>, <call>): pass", "for (<w>, <w>) in (<call>, <call>): pass", "for <w> in (<e>): pass", "<w> = (*<w>, <e>)", "<w>: <w> = (*<w>, <e>)", "<w>[(*<w>, <w>)]", "<w>[(<w>, <w>)]", "<w>[(<w> := <o>)]",
    "try: pass\nexcept (<w>, <w>): pass", "try: pass\nexcept (<w>.<w>, <call>): pass", "try: pass\nexcept* (<w>, <w>): pass", "try: pass\nexcept (<w>, <w>) as <w>: pass", "@(<call>)\ndef f(): pass", "del (<lhs>, <lhs>)", "del (<w>), <w>", "assert <e>, (<s> <s>)", "<w> = lambda *<w>: <e>", "print((yield <w>))", "<lhs> = <lhs> = (<call>)", "import <w>", "<w> = [*(<w>) for <w> in (<e>)]",
]
EXTRA = {"told": TELLING, "laid": LAID_OUT}
FEATURES = Grammar({**WOVEN_GRAMMAR.rules, **EXTRA}, counts=[1, 1, 2, 3], words=WOVEN_GRAMMAR.words, commas=0.1, commaless=("for", "tp"))


def detected(choose: random.Random) -> str:
    """Statements whose layout hangs on the versions that the file seems to be for, beside some that tell."""

    def make() -> str:
        parts = [FEATURES.expand("told", choose, 5) for _ in range(choose.choice([0, 1, 1, 1, 2]))]
        parts += [FEATURES.expand("laid", choose, choose.choice([6, 12, 20])) for _ in range(choose.choice([1, 1, 2]))]
        choose.shuffle(parts)
        text = "\n".join(parts) + "\n"
        for _ in range(choose.choice([0, 0, 0, 1, 2])):
            text = choose.choice(["if x:", "def f():", "async def f():", "class A:", "with a:"]) + "\n" + indent(text, "    ")
        return text

    return mostly_python(make, choose)


SOFT = {
    "n": "match case type lazy _".split() + ["a", "print", "exec"],
    "v": ["<n>", "<n>", "<n>.<n>", "<n>(<n>)", "<n>[<n>]", "(<n>)", "[<n>]", "{<n>}", "-<n>", "not <n>", "<n> + <n>", "<n> if <n> else <n>", "lambda <n>: <n>", "*<n>, <n>", "<n>, <n>", "<n>,", "<n>:=<n>", "(<n> := <n>)", "await <n>", "<n> in <n>", "<n> for <n> in <n>", "<n>=<n>", "1", "'s'", "...", "~<n>", "f'{<n>}'", "<n>**<n>", "{<n>: <n>}", "()", "[]", "<n> as <n>", "<n> is <n>", "@<n>", "<n>: <n>"],
    "s": [
        "<n>", "<n> = <v>", "<n> <v>", "<n> (<v>)", "<n>(<v>)", "<n> [<v>]", "<n> {<v>}", "<n>: <v>", "<n>: <v> = <v>", "<n> <v> = <v>", "<n> <n> = <v>", "<n> <n>[<n>] = <v>", "<n> <n>[<n>: <v>, *<n>] = <v>", "<n>.<n> = <v>", "<n>.<n>: <n>", "<n>[<v>]: <n> = <v>",
        "<n> += <v>", "<n> = <n> = <v>", "<n>, <n> = <v>", "(<n>, <n>) = <v>", "<n> * <n>", "<n> - <n>", "<n> -<n>", "<n> @ <n>", "<n>\\\n<v>", "<n> \\\n = <v>", "import <n>", "import <n>.<n> as <n>", "from <n> import <n>", "from .<n> import (<n>, <n> as <n>)", "lazy import <n>", "lazy from <n> import <n>", "from . import <n>", "lazy",
        "del <n>", "global <n>, <n>", "return <v>", "assert <n>, <v>", "raise <n> from <n>", "yield <v>", "<n>; <n>", "<n> if <n> else <n>", "<n> or <v>", "<n> not in <n>", "<n> in <v>", "<n> is not <v>", "<n> == <v>", "<n> < <n> > <n>", "print(<n>=<n>)", "<n> <n>", "<n> <n> <n>", "@<n>\ndef <n>(<n>, *<n>, **<n>): pass", "def <n>[<n>](<n>: <n> = <n>) -> <n>: <n>", "class <n>(<n>, <n>=<n>): <n>", "class <n>[<n>]: pass",
        "<n> (<n>): <n>", "<n> <v>: pass", "<n> <n>: <n>", "if <n>: <n>", "for <n> in <n>: <n>", "for <n>, <n> in <v>: pass", "while <n>(<n>): <n> = <n>", "with <n> as <n>: <n>", "with (<n> as <n>, <n>): <n>", "try: <n>\nexcept <n> as <n>: <n>", "lambda <n>: <v>", "async def <n>(): <n>", "async with <n> as <n>: <n>", "async for <n> in <n>: <n>",
    ],
    "p": ["<n>", "<n>", "<n>.<n>", "<n>(<n>)", "<n>(<n>=<n>)", "(<n>)", "[<n>, *<n>]", "{'k': <n>, **<n>}", "<n> | <n>", "<n> as <n>", "(<n> as <n>)", "*<n>, <n>", "<n>, <n>", "<n>,", "1", "'s'", "-1", "None", "<n>()", "(<n>, <n>)", "[]", "()", "{}"],
    "m": ["match <v>:\n    case <p>: <s>\n    case <p> if <v>: <s>", "match <v>:\n    case <p>:\n        <s>", "match (<v>):\n  # c\n  case <p>:\n        <s>\n        <s>", "match <v>:\n    case <p>:\n        match <v>:\n            case <p>: <n>", "match <v>,:\n    case <p>: pass", "match *<n>, <n>:\n    case _: <n>", "match\\\n <v>:\n    case <p>: pass", "match <v>: # c\n\n    case <p>: # d\n        pass\n\n    # e\n    case _: pass", "match <v>:\n    case(<p>): pass", "match(<v>):\n    case[<p>]: pass", "match-<n>:\n    case-1: pass", "match[<v>]:\n    case{}: pass", "match{<n>}:\n    case <p>|<p>: pass", "match'a':\n    case'a': pass", "match not <n>:\n    case <p>: pass", "match lambda: <n>:\n    case <p> if lambda: <n>: pass", "match await <n>:\n    case <p>: pass", "match <n> if <n> else <n>:\n    case <p>: pass"],
}
SOFT_GRAMMAR = Grammar({key: rules for key, rules in SOFT.items() if key != "n"}, words={"n": SOFT["n"]})


def soft(choose: random.Random) -> str:
    """Words that are keywords in some places only, as names in all."""

    def make() -> str:
        text = "".join(SOFT_GRAMMAR.expand(choose.choice("ssssm"), choose, choose.choice([2, 4, 8])) + "\n" for _ in range(choose.choice([1, 1, 2, 3])))
        if choose.random() < 0.2:
            text = choose.choice(["if x:", "def f():", "class A:", "match x:\n  case y:"]) + "\n" + indent(text, "    ")
        return text

    text = mostly_python(make, choose)
    if choose.random() < 0.2:
        text = re.sub(r" |(?<=[\[(,])", lambda found: choose.choice([found[0], found[0], "  ", " \\\n"]), text)
    return text


COMMAS = {
    "n": NAMES,
    "c": ["", "", ",", ",", "§,§", ",§"],
    "e": ["<n>", "<n>", "<n>", "<n>[<i><c>]", "<n>(<a><c>)", "[<e><c>]", "{<e><c>}", "{<e>: <e><c>}", "(<e>,)", "(<e>, <e><c>)", "<n>.<n>", "<n> | <e>", "<n>[<i><c>](<a><c>)", "<n>(<a><c>)[<i><c>]", "*<n>", "lambda <n><c>: <e>", "'s'", "()", "[]", "{}", "<n>.<n>(<a><c>).<n>[<i><c>]", "<n> + <e>", "not <e>", "<n> if <e> else <e>", "[<e> for <n> in <e>]", "1"],
    "i": ["<e>", "<e>", "<e>, <e>", "<e>:<e>", "*<n>", "*<n>, <e>", "(<e>, <e><c>)", "(<e>,)", "<e>, <e>:<e>", ":", "...", "<n>:=<e>", "[<e><c>], <e>", "(<e>)"],
    "a": ["<e>", "<e>", "<e>, <e>", "<n>=<e>", "*<e>", "**<e>", "<e>, *<e>, **<e>", "<n>=<e>, <n>=<e>", "[<e><c>]", "{<e><c>}", "(<e>, <e><c>)", ""],
    "p": ["<n>", "<n>", "<n>, <n>", "<n>: <e>", "<n>=<e>", "*<n>", "**<n>", "*, <n>", "<n>, /", "*<n>: *<e>", "<n>: <e> = <e>, *<n>, **<n>", "self", "self, <n>: <n>[<i><c>]"],
    "t": ["<n>", "<n>, <n><c>", "(<n>, <n><c>)", "[<n>, <n><c>]", "<n>[<i><c>]", "<n>(<a><c>)[<i><c>]", "(<n>,)", "*<n>, <n><c>", "<n>,"],
    "s": ["<t> = <e>", "<t> = <e>, <e><c>", "<t> = <t> = <e>", "<n>: <e> = <e>", "<n>: <n>[<i><c>]", "<e>", "return <e>", "return <e>, <e><c>", "yield <e>, <e><c>", "del <t>", "del (<n>, <n><c>)", "assert <e>, <e>", "from <n> import (<n><c>)", "from <n> import (<n>, <n> as <n><c>)", "raise <e> from <e>", "type <n>[<n><c>] = <e>", "<n> += <e>", "<n> = yield <e>", "print(<a><c>)", "<n> = await <e>", "<n> = [<e>, <e><c>][<i><c>]", "global <n>"],
    "h": ["def <n>(<p><c>):", "def <n>(<p><c>) -> <e>:", "def <n>(<p>) -> <n>[<i><c>]:", "def <n>() -> <n>[<i><c>]:", "def <n>[<n><c>](<p><c>) -> (<e>):", "def <n>[<n>: <e>, *<n><c>](<p>):", "class <n>(<a><c>):", "class <n>[<n><c>]:", "for <t> in <e>:", "for <t> in <e>, <e><c>:", "for <t> in (<e>, <e><c>):", "with <e>:", "with <e> as <n>, <e>:", "with (<e> as <n>, <e><c>):", "with (<e><c>):", "if <e>:", "while <e> and <e>:", "@<n>(<a><c>)\ndef <n>(<p><c>):", "async def <n>(<p><c>) -> <n>[<i>]:", "match <e>, <e><c>:\n  case (<n>, <n><c>):", "match <e>:\n  case <n>(<n>, <n>=<n><c>):", "match <e>:\n  case [<n><c>] if <e>:", "match <e>:\n  case {'k': <n><c>}:", "match <n>:\n  case <n>, <n><c>:"],
}
COMMA_GRAMMAR = Grammar({key: rules for key, rules in COMMAS.items() if key != "n"}, words={"n": ["a", "b", "x", "Set", "Tuple", *NAMES]})


def commas(choose: random.Random) -> str:
    """Commas that force a split, and those that make a tuple, in subscripts, calls, parameters, returns and targets."""

    def make() -> str:
        text = ""
        for _ in range(choose.choice([1, 1, 2])):
            budget = choose.choice([3, 6, 10, 18])
            if choose.random() < 0.6:
                text += COMMA_GRAMMAR.expand("s", choose, budget) + "\n"
            else:
                head = COMMA_GRAMMAR.expand("h", choose, budget)
                body = indent(COMMA_GRAMMAR.expand("s", choose, budget) + "\n", "        " if head.startswith("match") else "    ")
                text += head + ("\n" + body if choose.random() < 0.7 else " ...\n")
        return commented(text, choose)

    return mostly_python(make, choose)


STUBBED = ["...", "...", "pass", "'''d'''", "x", "...; x", "x; ...", "... # c", "...;", "return", "(...)", "'d'", "'''d'''; ...", "yield", "x = 1; y = 2", "raise A", "... # fmt: skip", "... # type: ignore", "\n    ...", "\n    # c\n    ...", "  # c\n    ...", "\n    ...\n    # c", "\n    '''d'''\n    ...", "\n    ...\n    ...", "\n\n    ...", "\n\n\n    ...\n\n\n", "  # fmt: skip\n    ...", "\n    x", "\n    # fmt: off\n    ...\n    # fmt: on", "\n    pass", "\n    '''d'''\n    # c", "\n    '''d'''\n    def g(): ...", "\n    class B: ...", "\n    class B: ...\n    x: int", "\n    def g(): ...\n    def h(): ..."]
OPENERS = ["def f():", "def f(a) -> b:", "def f(\n a,\n):", "async def f():", "class A:", "class A(B):", "class A(B,):", "class A():", "@d\ndef f():", "@d\nclass A:", "@overload\ndef f(a):", "@typing.overload\ndef f(a):", "@overload\nasync def f(a):", "@d\n# c\n@overload\ndef f(a):", "if x:", "if TYPE_CHECKING:", "for x in y:", "while x:", "with a:", "try:", "match x:\n  case 1:", "def f(): # c\n   ", "class A: # c\n   ", "@d # c\ndef f():", "@d\n\n\ndef f():", "async with a:", "async for a in b:", "def f[T](a: T,) -> Set[T,]:"]
CLAUSES = {"if x:": [["elif y:"], ["else:"]], "for x in y:": [["else:"]], "while x:": [["else:"]], "try:": [["except A:", "except (A, B):", "except* A:", "finally:", "except A, B:"], ["else:", "finally:"]]}
AROUND = ["if x:", "def f():", "class A:", "class A:\n    '''d'''", "class A:\n\n    # c", "with a:"]
BETWEEN = ["", "", "", "\n", "\n", "\n\n", "\n\n\n", "# c\n", "\n# c\n", "# c\n\n", "\n# c\n\n", "\n\n# c\n\n\n", "    # c\n", "    # c\n\n", "# fmt: off\n", "# fmt: on\n", "\f\n", "\f", "\n\f\n", "\\\n", "    \n", "\t\n", "#!x\n", "# type: ignore\n", "# region\n\n"]
PLAIN = ["x = 1", "x: int", "import a", "from a import b", "from __future__ import annotations", "'''d'''", "...", "f()", "@d", "x = [\n]", "lazy import a", "type X = int", "if x: import a", "__all__ = ()", "x = '''\n'''", "del x", "global x"]


def dummies(choose: random.Random) -> str:
    """Definitions and blocks that do nothing, on one line or on more, with whatever stands between them."""
    return mostly_python(lambda: nothings(choose), choose, 6)


def nothings(choose: random.Random) -> str:
    text = ""
    for _ in range(choose.choice([1, 2, 3, 4, 6])):
        if choose.random() < 0.75:
            opener = choose.choice(OPENERS)
            text += between(choose) + opener + stubbed(choose)
            for clauses in CLAUSES.get(opener, []):
                if opener == "try:" or choose.random() < 0.4:
                    text += (between(choose) if choose.random() < 0.3 else "") + choose.choice(clauses) + stubbed(choose)
        else:
            text += between(choose) + choose.choice(PLAIN) + choose.choice(["\n", "\n", "  # c\n", ";\n"])
    for _ in range(choose.choice([0, 0, 0, 1, 2])):
        text = choose.choice(AROUND) + "\n" + indent(text, choose.choice(["    ", "    ", "\t", " "]))
    return text


def between(choose: random.Random) -> str:
    return choose.choice(BETWEEN if choose.random() < 0.6 else ["", "\n", "\n\n"])


def stubbed(choose: random.Random) -> str:
    body = choose.choice(STUBBED)
    return ("" if body[0] in "\n " else choose.choice([" ", "  ", ""])) + body + "\n"


# What may stand between two tokens where no bracket is open, and where one is.
OUTSIDE = [" ", "  ", "\t", " \\\n", "\\\n", " \\\n    ", "\\\n\\\n", " \f", "\f", " \\\n\t", " \\\r\n"]
INSIDE = [*OUTSIDE, "\n", "\n\n", "\n    ", "\r\n", "\n\t", "\n\f", " # c\n", "# c\n", "\n# c\n", "\n# fmt: off\n", "\n# fmt: on\n", " # fmt: skip\n", " # type: ignore\n", " # type: int\n", "\n\n# c\n\n", " # c\r\n", " # c \\\n", "\n  # c\n# d\n", " # fmt: off # fmt: on\n", " # noqa # fmt: skip\n"]
BREAKS = ["\n", "\r\n", "  # c\n", " # fmt: skip\n", "  # fmt: off\n", "  # fmt: on\n", ";\n", " ; # c\n", "\n\n\n", "\n\f\n", " # type: ignore\n", "  # c # fmt: skip\n", " \n", "\n# c\n", "\n# fmt: off\n", "\n# fmt: on\n", "  # noqa\r\n", "\\\n\n", "\n\\\n"]


def regapped(source: str, choose: random.Random, share: float) -> str:
    """Other white space, comments, directives and backslashes in this share of the gaps between tokens, of every kind of gap."""
    inside, outside, breaks = (choose.sample(kinds, choose.choice([1, 2, 4, len(kinds)])) for kinds in (INSIDE, OUTSIDE, BREAKS))
    text = ""
    end = 0
    level = 0
    for token, start, stop in spans(source):
        gap = source[end:start]
        if choose.random() < share:
            if level > 0:
                gap = choose.choice(inside)
            elif "\n" not in gap:
                gap = choose.choice(outside) if end else gap
            else:
                at = gap.find("\n")
                gap = gap[:at] + choose.choice(breaks) + gap[at + 1 :]
        text += gap + token
        level = max(0, level + (token in ("(", "[", "{")) - (token in (")", "]", "}")))
        end = stop
    return text + (choose.choice(breaks) if choose.random() < share else source[end:])


CORNERS = {"parens": parens, "detected": detected, "soft": soft, "commas": commas, "dummies": dummies}
