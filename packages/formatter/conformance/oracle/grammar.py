"""Programs that walk through all of Python's grammar, the newest parts among it, spaced and broken at random."""

import random
import re

from expand import Grammar

RULES: dict[str, list[str]] = {
    "name": "a b c x y self _ match case type lazy print exec a_longer_name_than_others another_rather_long_name aaa".split(),
    "dotted": ["<name>", "<name>.<name>", "<name>.<name>.<name>"],
    "atom": [
        "<name>",
        "<name>",
        "1",
        "'s'",
        "None",
        "...",
        "(<e>)",
        "(<star*>,)",
        "()",
        "[<star*>]",
        "{<star+>}",
        "{<pair*>}",
        "{}",
        "(<ne> <for>)",
        "[<ne> <for>]",
        "{<ne> <for>}",
        "{<e>: <e> <for>}",
        "[*<e> <for>]",
        "{**<e> <for>}",
        "(yield)",
        "(yield <star+>)",
        "(yield from <e>)",
        "(<name> := <e>)",
        "f'{<name>}'",
        "f\"{<name>!r:>{<name>}}\" 'x'",
        "f'{<name>.<name>(<name>)}' f'x'",
        "rb'x'",
        "0XFF",
        "1E5J",
        "'''x\n  y'''",
    ],
    "primary": [
        "<atom>",
        "<atom>",
        "<primary>.<name>",
        "<primary>.<name>(<arg*>)",
        "<primary>(<arg*>)",
        "<primary>[<slice+>]",
        "<primary>(<ne> <for>)",
        "<primary>[<e>]",
    ],
    "unary": ["<primary>", "<primary>", "-<unary>", "~<unary>", "+<unary>", "await <primary>", "<primary> ** <unary>", "-<primary> ** -<unary>"],
    "binary": [
        "<unary>",
        "<unary>",
        "<binary> + <binary>",
        "<binary> * <binary>",
        "<binary> @ <binary>",
        "<binary> // <binary>",
        "<binary> % <binary>",
        "<binary> << <binary>",
        "<binary> | <binary>",
        "<binary> & <binary> ^ <binary>",
    ],
    "compare": [
        "<binary>",
        "<binary>",
        "<binary> < <binary>",
        "<binary> == <binary> != <binary>",
        "<binary> in <binary>",
        "<binary> not in <binary>",
        "<binary> is <binary>",
        "<binary> is not <binary>",
    ],
    "logic": ["<compare>", "<compare>", "not <compare>", "<logic> and <logic>", "<logic> or <logic>"],
    "e": ["<logic>", "<logic>", "<logic>", "<logic> if <logic> else <e>", "lambda: <e>", "lambda <lparam*>: <e>"],
    "ne": ["<e>", "<e>", "<e>", "<name> := <e>"],
    "star": ["<ne>", "<ne>", "<ne>", "*<binary>"],
    "pair": ["<e>: <e>", "<e>: <e>", "**<binary>"],
    "slice": ["<ne>", "<e>:", ":<e>", "<e>:<e>", "<e>:<e>:<e>", ":", "::", "*<binary>", "<name>"],
    "arg": ["<ne>", "<ne>", "*<e>", "**<e>", "<name>=<e>", "<name> := <e>"],
    "for": [
        "for <name> in <logic>",
        "for <name>, <name> in <logic>",
        "async for <name> in <logic>",
        "for <target> in <logic> if <logic>",
        "for <name> in <logic> if <logic> if <logic>",
        "for <name> in <logic> for *<name>, <name> in <logic>",
        "for <name>, in <logic>",
    ],
    "lparam": ["<name>", "<name>=<e>", "*<name>", "**<name>", "*", "/"],
    "param": ["<name>", "<name>: <e>", "<name>=<e>", "<name>: <e> = <e>", "*<name>", "*<name>: *<e>", "**<name>: <e>", "*", "/"],
    "target": ["<name>", "<name>", "<name>.<name>", "<name>[<slice+>]", "(<target>)", "(<target>, <target>)", "[<target>, *<target>]", "<primary>.<name>"],
    "targets": ["<target>", "<target>", "<target>, <target>", "*<target>, <target>", "<target>,", "(<target>, *<target>)"],
    "tp": ["<name>", "<name>: <e>", "<name> = <e>", "<name>: (<e>, <e>) = <e>", "*<name>", "*<name> = *<e>", "**<name>", "**<name> = [<e>]"],
    "tps": ["", "", "[<tp+>]"],
    "value": ["<star+>", "<star+>", "<star+>,", "yield <star+>", "yield", "<e>", "await <primary>"],
    "simple": [
        "<value>",
        "<targets> = <value>",
        "<targets> = <targets> = <value>",
        "<target> += <value>",
        "<target> **= <value>",
        "<target>: <e>",
        "<target>: <e> = <value>",
        "(<name>): <e> = <e>",
        "return",
        "return <star+>",
        "del <target>, <target>",
        "del (<target>, <target>)",
        "del (<target>)",
        "assert <e>",
        "assert <e>, <e>",
        "raise",
        "raise <e> from <e>",
        "pass",
        "break",
        "continue",
        "global <name>, <name>",
        "nonlocal <name>",
        "import <dotted>",
        "import <dotted> as <name>, <dotted>",
        "from <dotted> import <name>",
        "from . import (<name> as <name>, <name>)",
        "from .<dotted> import <name>, <name> as <name>",
        "from <dotted> import *",
        "from .. import (<name>)",
        "from __future__ import annotations",
        "type <name><tps> = <e>",
        "lazy import <dotted>",
        "lazy from <dotted> import <name>",
        "print(<arg*>)",
        "<primary>",
    ],
    "with": ["<e>", "<e> as <target>", "<e> as (<target>, <target>)", "(<e>) as <name>"],
    "withs": ["<with+>", "<with+>", "(<with+>)", "(<with+>,)", "(<e>)", "(<e>, <e>)", "(yield)"],
    "except": ["<e>", "<e> as <name>", "(<e>, <e>)", "(<e>, <e>) as <name>", "<e>, <e>", "*<e>", "*(<e>, <e>) as <name>", "*<e>, <e>"],
    "literal": ["1", "-1", "-1.5 + 2j", "'s'", "'a' 'b'", "None", "True", "<name>.<name>"],
    "pattern": [
        "<name>",
        "_",
        "<literal>",
        "<literal>",
        "(<pattern>)",
        "[<pattern>, *<name>]",
        "(<pattern>, <pattern>)",
        "[*_]",
        "<pattern> | <literal>",
        "<name>(<pattern>, <name>=<pattern>)",
        "<dotted>()",
        "{<literal>: <pattern>, **<name>}",
        "{}",
        "(<pattern> as <name>)",
        "<name>(<literal> as <name>)",
    ],
    "case": ["<pattern>", "<pattern>", "<pattern>, <pattern>", "*<name>, <pattern>", "<pattern> as <name>", "<pattern>,"],
    "guard": ["", "", "", " if <ne>", " if (<e>)"],
    "head": [
        "if <ne>:<block><elif><else>",
        "while <ne>:<block><else>",
        "for <targets> in <star+>:<block><else>",
        "async for <targets> in <e>:<block>",
        "with <withs>:<block>",
        "async with <withs>:<block>",
        "try:<block>except <except>:<block><else>",
        "try:<block>except <except>:<block>except:<block>",
        "try:<block>finally:<block>",
        "def <name><tps>(<param*>):<block>",
        "def <name><tps>(<param+>,) -> <e>:<block>",
        "async def <name>(<param*>) -> <e>:<block>",
        "class <name><tps>:<block>",
        "class <name><tps>(<arg*>):<block>",
        "@<ne>\ndef <name>(<param*>):<block>",
        "@<primary>\n@<primary>\nclass <name>:<block>",
        "match <star+>:\n    case <case><guard>:<inner>",
        "match (<ne>):\n    case <case><guard>:<inner>    case _:<inner>",
    ],
    "elif": ["", "", "elif <ne>:<block>"],
    "else": ["", "", "else:<block>"],
    "block": [" <simple>\n", "\n    <simple>\n", "\n    <simple>\n    <simple>\n", "\n  <simple>; <simple>\n", "\n    # c\n    <simple>  # c\n\n"],
    "inner": [" <simple>\n", "\n        <simple>\n"],
}

GRAMMAR = Grammar(RULES)


def spaced(source: str, choose: random.Random) -> str:
    """Other white space between tokens, and commas, line breaks and comments within brackets."""
    share = choose.choice([0, 0.05, 0.2])
    between = choose.choice([["  "], ["\n"], ["\n    "], ["", "  ", "\n"], [" # c\n", "\n"], [" # fmt: skip\n", "\n"], ["\\\n", " \\\n  "]])
    parts = re.split(r"((?<=[(\[{,])\s?|\s?(?=[)\]}]))", source)
    for index in range(1, len(parts), 2):
        if choose.random() < share:
            before = parts[index - 1][-1:]
            comma = "," if before not in ("", ",", "(", "[", "{", "*", "/") and choose.random() < 0.3 else ""
            parts[index] = comma + choose.choice(between)
    source = "".join(parts)
    if choose.random() < 0.3:
        source = re.sub(r" (?=[=+*:<>/%-])|(?<=[=+*:</%-]) ", lambda found: choose.choice(["", " ", "  "]), source)
    return source


def grammar(choose: random.Random) -> str:
    source = ""
    for _ in range(choose.choice([1, 1, 1, 2])):
        rule = "head" if choose.random() < 0.5 else "simple"
        text = GRAMMAR.expand(rule, choose, choose.choice([10, 20, 40, 80]))
        source += text if text.endswith("\n") else text + choose.choice(["\n", "\n", "\n", "  # c\n", "; pass\n"])
    return spaced(source, choose)
