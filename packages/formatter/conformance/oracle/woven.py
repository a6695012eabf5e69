"""Statements with names of natural lengths, whose line length is chosen so that a split is nearly needed or nearly not."""

import random
import re

import black
from answer import mode_of
from black.strings import str_width
from edits import is_python, spans
from expand import Grammar
from made import indent

WORDS = (
    "a b x self cls data index result response handler value configuration description connection_pool argument"
    " some_object that_other_name very_long_variable_name another_quite_long_function_name T K is_ok get_all_of_them"
    " größe 変数 match case type _ __init__ request_parameters_from_the_client xs aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
).split()

RULES: dict[str, list[str]] = {
    "o": ["<w>", "<w>", "<w>.<w>", "1", "None", "<s>"],
    "s": ["'text'", '"it\'s"', "'some words that are a bit longer'", "f'{<w>}'", "b''", "''", "'a' 'b'", "'''a\nb'''", '"""x\n  y"""', "r'\\d'"],
    "call": ["<w>(<arg*>)", "<w>(<arg+>)", "<w>.<w>(<arg*>)", "<chain>", "<w>(<arg+>)(<arg*>)", "super().<w>(<arg*>)", "<w>(**<w>)", "<w>(*<w>)"],
    "chain": [
        "<w>.<w>(<arg*>).<w>(<arg*>)",
        "<w>.<w>(<arg*>).<w>.<w>(<arg+>)",
        "<w>(<arg*>).<w>(<arg*>).<w>(<arg*>)[<sub>]",
        "<w>[<sub>].<w>(<arg*>)",
        "<w>.<w>[<sub>][<sub>]",
        "<w>.<w>.<w>.<w>",
        "(<e>).<w>(<arg*>)",
        "<s>.format(<arg*>)",
        "<s>.join(<w> <for>)",
        "<w>.<w>().<w>().<w>",
    ],
    "sub": ["<o>", "<e>", "<e>:", "<o>:<e>", "::<o>", "<e>, <e>", "*<w>, <w>", "<w>:<w>, <e>", "(<e>, <e>)", "<s>", "<w> := <o>", "<e>, "],
    "display": [
        "[<e*>]",
        "[<e+>,]",
        "{<e+>}",
        "{<pair*>}",
        "{<pair+>,}",
        "(<e>, <e>)",
        "(<e>,)",
        "()",
        "[<e> <for>]",
        "{<e>: <e> <for>}",
        "(<e> <for>)",
        "[*<w>, <e>]",
        "{**<w>, <pair>}",
        "[[<e*>], [<e*>]]",
        "[{<pair+>}]",
        "([<e+>])",
    ],
    "pair": ["<s>: <e>", "<s>: <e>", "<w>: <e>", "<w> + <o>: <e>", "<s> % <w>: <call>", "**<call>", "<s>: (<e>)", "<s>: <w> if <w> else <e>", "<s>: lambda <w>: <e>", "(<w>, <o>): <e>"],
    "for": ["for <w> in <e>", "for <w>, <w> in <call>", "for (<w>, <w>) in (<e>)", "async for <w> in <e>", "for <w> in <call> if <e>", "for <w> in (<e>) for <w> in <e>", "for <w> in <e> if <e> if <e>"],
    "arg": ["<e>", "<e>", "<o>", "<w>=<e>", "<w>=<o>", "*<e>", "**<e>", "<w> := <e>", "<w> <for>", "lambda <w>, *<w>: <e>", "<display>"],
    "op": ["+", "-", "*", "/", "//", "%", "@", "|", "&", "^", "<<", ">>", "**"],
    "arith": ["<p> <op> <p>", "<p> <op> <p> <op> <p>", "<p> + <p> + <p> - <p>", "<p> ** <p>", "-<p> ** -<p>", "<w> ** <w>.<w>", "<w>[<o>] ** 2", "5 ** f['hi']", "<s> % (<e>, <e>)", "<s> % <p>", "<s> + <p>", "~<p>"],
    "compare": ["<p> == <p>", "<p> in <p>", "<p> not in <p>", "<p> is not None", "<p> < <p> <= <p>", "<p> != <s>", "<call> > <o>", "<w> is <p>"],
    "logic": ["<compare> and <compare>", "<p> or <p>", "not <p>", "not (<e>)", "<p> and <p> and not <p>", "<p> or (<e>)", "(<e>) and (<e>)"],
    "p": ["<o>", "<call>", "<call>", "<chain>", "<display>", "(<e>)", "await <call>", "-<o>", "<w>[<sub>]", "(await <call>)"],
    "e": ["<p>", "<p>", "<p>", "<arith>", "<compare>", "<logic>", "<p> if <e> else <e>", "<s> <s>", "<s>\n<s>", "lambda: <e>", "lambda <w>=<o>: <e>", "(<e>)", "((<e>))", "(<w> := <e>)", "(yield <w>)", "(yield)"],
    "rhs": ["<e>", "<e>", "<e>", "<e>, <e>", "<e>,", "(<e>)", "(<e>, <e>)", "await <call>", "await (<e>)", "yield <e>", "yield <e>, <e>", "*<w>, <e>", "not <e>"],
    "lhs": ["<w>", "<w>", "<w>.<w>", "<w>[<sub>]", "<w>.<w>[<sub>]", "<w>, <w>", "(<w>, <w>)", "<w>, *<w>", "[<w>, <w>]", "<w>(<arg*>)[<sub>]", "<w>(<arg*>).<w>", "(<w>)", "<w>, (<w>, <w>)", "(<w>.<w>[<sub>])", "<w>,"],
    "ann": ["<w>", "<w>[<ann>]", "<w>[<ann>, <ann>]", "<w>[<ann>, <ann>,]", "<w> | <ann>", "Callable[[<ann>], <ann>]", "(<w> | <w>)", "Literal[<s>]", "<w>.<w>", "<s>", "None", "Annotated[<w>, <call>]", "(<ann>, <ann>)"],
    "param": ["<w>", "<w>", "<w>: <ann>", "<w>=<o>", "<w>: <ann> = <e>", "*<w>", "*", "/", "**<w>", "*<w>: *<w>", "**<w>: <ann>", "<w>: (<ann>)", "<w>=(<e>)"],
    "tp": ["T", "T: <ann>", "T = <ann>", "*Ts", "**P", "T: (<ann>, <ann>)", "*Ts = *<w>[<ann>]", "T: <ann> = <ann>"],
    "tps": ["", "", "", "[<tp+>]", "[<tp+>,]"],
    "ret": ["", "", " -> <ann>", " -> (<ann>)", " -> <w>[<ann>, <ann>,]", " -> <s>"],
    "with": ["<call>", "<call> as <w>", "<e> as <w>", "(<call>) as <w>", "<call> as (<w>, <w>)", "<w>", "(<call> as <w>)", "<call> as <w>.<w>[<o>]"],
    "withs": ["<with>", "<with>, <with>", "(<with>)", "(<with>, <with>)", "(<with>, <with>,)", "<with>, <with>, <with>", "(<e>), (<e>)", "((<e>))"],
    "exc": ["", " <w>", " <w> as <w>", " (<w>)", " (<w>, <w>)", " (<w>, <w>) as <w>", " <w>, <w>", "* <w>", "*(<w>, <w>)", " (<w>, <w>,)", " <call>", " <w>.<w>,"],
    "pat": ["<w>", "_", "<s>", "1", "[<pat>, *_]", "(<pat>, <pat>)", "<w>(<pat>, <w>=<pat>)", "{<s>: <pat>, **<w>}", "<pat> | <pat>", "<pat> as <w>", "(<pat>)", "<w>.<w>", "<w>()", "(<pat> | <pat>)", "[<pat>]", "-1"],
    "guard": ["", "", " if <e>", " if (<e>)", " if <logic>", " if <call>"],
    "name": ["<w>", "<w> as <w>"],
    "simple": [
        "<lhs> = <rhs>",
        "<lhs> = <rhs>",
        "<lhs> = <rhs>",
        "<lhs> = <lhs> = <rhs>",
        "<lhs> = <lhs> = <lhs> = <call>",
        "<w>: <ann> = <rhs>",
        "<w>.<w>: <ann> = <rhs>",
        "<w>: <ann>",
        "(<w>): <ann> = <rhs>",
        "<w> += <rhs>",
        "<w>[<sub>] //= <e>",
        "<e>",
        "<call>",
        "return <rhs>",
        "return <rhs>",
        "return",
        "raise <call> from <e>",
        "raise <e>",
        "assert <e>, <e>",
        "assert <e>, (<e>)",
        "assert (<e>), <s>",
        "assert(<e>)",
        "del <lhs>",
        "del (<lhs>)",
        "del (<w>, <w>), <w>",
        "del (<w>), (<w>[<sub>])",
        "from <w>.<w> import <name+>",
        "from . import (<name+>)",
        "from <w> import (<name+>,)",
        "import <w>.<w> as <w>, <w>",
        "global <w>, <w>",
        "type <w><tps> = <ann>",
        "print(* <w>, ** <w>)",
        "<w> = not(<e>)",
        "<w> = lambda <param*>: <e>",
        "<w> = yield",
        "pass",
    ],
    "head": [
        "if <e>:",
        "if (<e>):",
        "if <logic>:",
        "if not(<e>):",
        "while <e>:",
        "while (<w> := <e>):",
        "for <lhs> in <rhs>:",
        "for (<w>, <w>) in (<e>, <e>):",
        "for <w> in (<e>):",
        "async for <lhs> in <e>:",
        "with <withs>:",
        "with <withs>:",
        "async with <withs>:",
        "def <w><tps>(<param*>)<ret>:",
        "def <w><tps>(<param+>)<ret>:",
        "def <w>(<param+>,)<ret>:",
        "async def <w>(self, <param*>)<ret>:",
        "class <w><tps>(<arg*>):",
        "class <w>:",
        "@<call>\ndef <w>(<param*>)<ret>:",
        "@(<e>)\nclass <w>:",
        "try:",
        "match <rhs>:",
    ],
}

GRAMMAR = Grammar(RULES, counts=[1, 1, 2, 3, 4], words={"w": WORDS}, commas=0.12, commaless=("for", "tp"))

COMMENTS = [
    "# c",
    "#c",
    "# a comment of some length, as they are",
    "# a comment that goes on for so long that it ends behind the last column of any line it may stand on, however wide",
    "# type: ignore",
    "# type: ignore[attr]",
    "# noqa: E501",
    "# pylint: disable=some-thing",
    "# fmt: skip",
    "# fmt: off",
    "# fmt: on",
    "# type: int",
    "#!x",
    "#",
    "# é 変数",
]


def block(choose: random.Random, depth: int) -> str:
    """One or two statements with what they hold, at the left margin."""
    text = ""
    for _ in range(choose.choice([1, 1, 1, 2])):
        if depth < 3 and choose.random() < 0.45:
            head = GRAMMAR.expand("head", choose, choose.choice([8, 15, 25, 40]))
            body = block(choose, depth + 1)
            if head.startswith("match"):
                body = f"case {GRAMMAR.expand('pat', choose, 8)}{GRAMMAR.expand('guard', choose, 12)}:\n{indent(body, "    ")}"
            text += f"{head}\n{indent(body, "    ")}"
            if head == "try:":
                text += f"except{GRAMMAR.expand('exc', choose, 6)}:\n{indent(block(choose, depth + 1), "    ")}"
            elif head.startswith(("if", "while", "for")) and choose.random() < 0.25:
                text += f"else:\n{indent(block(choose, depth + 1), "    ")}"
        else:
            text += GRAMMAR.expand("simple", choose, choose.choice([6, 12, 20, 35])) + "\n"
    return text


def sprinkled(source: str, choose: random.Random, share: float, comments: list[str]) -> str:
    """The source with comments and line breaks in some of the gaps where they may stand."""
    text = ""
    end = 0
    level = 0
    for token, start, stop in spans(source):
        gap = source[end:start]
        if level > 0 and "\n" not in gap and choose.random() < share:
            pick = choose.random()
            breaks = "\n" * choose.choice([1, 1, 1, 2]) + " " * choose.choice([0, 4, 8])
            if pick < 0.25:
                gap += breaks
            elif pick < 0.7:
                gap += choose.choice(["", " ", "  "]) + choose.choice(comments) + breaks
            else:
                gap += breaks + choose.choice(comments) + breaks
        elif level == 0 and choose.random() < share / 6:
            if "\n" in gap:
                at = gap.rfind("\n")
                margin = gap[at + 1 :]
                gap = choose.choice(
                    [
                        "  " + choose.choice(comments) + gap,
                        gap[: at + 1] + margin + choose.choice(comments) + "\n" + margin,
                        gap[:at] + "\n" * choose.choice([1, 2, 3]) + gap[at:],
                    ]
                )
            elif gap:
                gap = choose.choice([" \\\n", " \\\n    ", "   "])
        text += gap + token
        level += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        end = stop
    return text + source[end:]


def edge_width(source: str, options: dict, choose: random.Random) -> int:
    """A line length near that of a line of the output, or of the part of one before a bracket or an operator."""
    try:
        text = black.format_str(source, mode=mode_of({**options, "line_length": choose.choice([1000, 1000, 88, 50])}))
    except Exception:
        return choose.choice([20, 40, 88])
    lines = [line for line in text.splitlines() if len(line) > 5] or ["        "]
    line = choose.choice(lines)
    if choose.random() < 0.35:
        places = [found.end() for found in re.finditer(r"[(\[{]|[)\]}]|[=,:.]", line)]
        line = line[: choose.choice(places)] if places else line
    return max(1, str_width(line) + choose.choice([-4, -2, -1, -1, 0, 0, 0, 1, 2]))


def mostly_python(make, choose: random.Random, times: int = 2) -> str:
    """What is made, so many times more where Python does not take it."""
    source = make()
    for _ in range(times):
        if is_python(source, choose):
            break
        source = make()
    return source


def woven(choose: random.Random) -> str:
    """Statements of any kind in blocks, with comments in some gaps."""
    source = mostly_python(lambda: block(choose, choose.choice([0, 1, 2, 3])), choose)
    if choose.random() < 0.45:
        few = choose.sample(COMMENTS, choose.choice([1, 2, 4]))
        source = sprinkled(source, choose, choose.choice([0.03, 0.08, 0.2]), few)
    return source


FENCES = [("# fmt: off", "# fmt: on"), ("# fmt: off", "# fmt: on"), ("# fmt:off", "# fmt:on"), ("# yapf: disable", "# yapf: enable"), ("# fmt: off", ""), ("# fmt: on", "# fmt: off"), ("# fmt: skip", "# fmt: skip"), ("# fmt: off # c", "# c # fmt: on")]


def fenced(choose: random.Random) -> str:
    """Statements between whose lines, or within whose brackets, directives open and close."""
    source = mostly_python(lambda: block(choose, choose.choice([0, 1, 2])), choose)
    if choose.random() < 0.4:
        source = sprinkled(source, choose, choose.choice([0.05, 0.2]), ["# c", "# fmt: skip"])
    for _ in range(choose.choice([1, 1, 1, 2])):
        gaps = []
        level = 0
        for token, start, stop in spans(source):
            before = source[source.rfind("\n", 0, start) + 1 : start]
            if level > 0 or not before.strip():
                gaps.append((start, before if not before.strip() else None))
            elif source[stop : stop + 1] == "\n" and choose.random() < 0.5:
                gaps.append((stop, ""))
            level += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if not gaps:
            continue
        first = choose.randrange(len(gaps))
        second = min(len(gaps) - 1, first + choose.choice([0, 1, 1, 2, 3, 6, 12]))
        opening, closing = choose.choice(FENCES)
        for (at, margin), directive in ((gaps[second], closing), (gaps[first], opening)):
            if not directive:
                continue
            if margin == "" and source[at : at + 1] == "\n":
                inserted = "  " + directive
            elif margin is not None:
                inserted = directive + "\n" + choose.choice([margin, margin, margin + "  " if level else margin])
            else:
                inserted = choose.choice(["  ", "\n", "\n    "]) + directive + "\n" + choose.choice(["", "    "])
            source = source[:at] + inserted + source[at:]
    return source


WOVEN = {"woven": woven, "fenced": fenced}
