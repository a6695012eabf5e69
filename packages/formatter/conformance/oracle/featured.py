"""Statements that a preview feature changes, one feature at a time, in blocks and with comments, odd white space and line ends."""

import random
import re

from expand import Grammar
from made import indent
from woven import COMMENTS, GRAMMAR as WOVEN_GRAMMAR, mostly_python, sprinkled

# What is made for each feature; for none, all of it is.
FRAMES: dict[str, list[str]] = {
    "fix_if_guard_explosion_in_case_statement": ["match <rhs>:\n    case <pat><guard>:\n        <simple>", "match <e>:\n    case <pat> if <e> and <e>: pass", "match <w>:\n    case {<s>: <pat>} if <call>:\n        pass"],
    "pyi_overload_group_blank_lines": ["<over>\n<over>\n<over>", "class <w>:\n    <inover>\n    <inover>\n    x: int", "<over>\n# c\n<over>\n\ndef <w>(): ..."],
    "fix_unnecessary_parens_in_indexed_assignment": ["<w>[<sub>] = (<e>)", "<w>.<w>[(<e>)] = (<e>)", "<call>[<sub>] = <w>[<e>] = (<rhs>)", "(<w>[<sub>]) = (<e>)", "<w>[<sub>][<sub>] = (<e>)  # c", "<w>[<sub>] += (<e>)", "<w>[<sub>]: <ann> = (<e>)"],
    "pyi_blank_line_before_decorated_class": ["<w>: <ann>\n@<w>\nclass <w>: ...", "class <w>:\n    <w>: <ann>\n    # c\n    @<call>\n    class <w>: ...\n    <w> = 1", "import <w>\n@<w>\n@<w>\nclass <w>(<w>): ..."],
    "pyi_blank_line_after_function_docstring": ["def <w>():\n    '''doc'''\n    ...", "class <w>:\n    def <w>(self):\n        '''doc'''\n    def <w>(self): ...", "def <w>():\n    '''doc'''\n    # c\n    <w>: <ann>"],
    "hug_comparator": ["<w> = <call> == [<e+>]", "assert <call> == {<pair+>}", "if <w>(<e>) in (<e>, <e>): pass", "return <w> != <w>(<arg+>)", "<call>(<e> is not [<e*>])", "assert <w>.<w> <= <display>, <s>", "if not <w>[<sub>] == <display>: pass", "<w> = <display> == <display>", "while <e> > [<e> <for>]: pass"],
    "parenthesize_tuple_in_yield": ["yield <e>, <e>", "<w> = yield <e>, *<w>", "yield <e>,", "<w>((yield <e>, <e>))", "return (yield <e>, <e>)", "yield *<w>, <e>", "await (yield <e>, <e>)", "yield (<e>, <e>)", "yield <e>, (<e>)", "<w> += yield <e>, <e>"],
    "fmt_off_class_blank_lines": ["class <w>:\n    # fmt: off\n    <simple>\n    # fmt: on\n    <simple>", "# fmt: off\nclass <w>:\n\n\n    <simple>\n# fmt: on\n<simple>", "class <w>:\n\n    # fmt: off\n\n    def <w>(self): <simple>\n    # fmt: on", "class <w>: # fmt: skip\n\n    x = 1", "class <w>:\n    '''d'''\n    # fmt: off\n    <w> = [1,  2]\n    # fmt: on\n\n    <simple>"],
    "remove_redundant_generator_parentheses": ["<w>((<e> <for>))", "<w>((<e> <for>), <e>)", "<w>(((<e> <for>)))", "<w>.<w>((<e> <for>),)", "class <w>((<e> <for>)): pass", "@<w>((<e> <for>))\ndef <w>(): pass", "<w>(( # c\n<e> <for>))", "<w>(*(<e> <for>))", "<w>(<w>=(<e> <for>))", "<w>((<e> <for>))((<e> <for>))"],
    "normalize_tstring_prefix": ["<w> = T'<w> {<w>}'", "<w> = Rt\"{<w>}\" tR'<w>'", "<w>(T'''{<w>!r}''')", "rT'{<w>:{<w>}}'", "<w> = t'{T\"<w>\"}'", "tr'\\d' T\"it's\""],
    "remove_redundant_unpacking_parentheses": ["<w>(*(<e>))", "[*(<w>), *(<e>)]", "print(**(<e>))", "{**(<w>), **(<e>)}", "for <w> in (*<w>, *(<e>)): pass", "return *(<w>), <w>", "<w>, *(<w>) = <e>", "<w>[*(<e>)]", "<w>(*((<w>)), **((<w> or <w>)))", "<w>(*(await <w>))", "<w>(*(<w>, <w>))", "<w>(*(yield))", "class <w>(*(<w>)): pass", "def <w>(*<w>: *(<w>)): pass"],
    "fix_magic_trailing_comma_trailer_split": ["<w>[<w>,](<w>,)[<w>,]", "<w>.<w>[<w>, <w>,].<w>(<w>,)", "<w>(<w>,)(<w>)[<w>]", "<w> = <w>[<w>, <w>,][<w>]", "return <w>(<arg+>,).<w>(<arg+>,)", "<w>(<w>,)[<sub>].<w>", "for <w> in <w>[<w>,](<w>): pass", "<w>(<w>, <w>,) = <w>[<w>,]"],
    "keep_dict_keys_with_operators": ["<w> = {<e>: <e>, <arith>: <e>}", "{<s> % <w>: <e>, <compare>: <call>}", "<w>({<logic>: <e>})", "{<w> if <w> else <w>: <e>, **<w>}", "{(<arith>): <e> <for>}", "{<arith>: <e>,}", "{lambda: <w>: <e>}", "{<w> + <s>: (<e>)}"],
    "simplify_power_operator_hugging": ["<w> = <w>**<w>", "<w>[<sub>] ** -<w>.<w>", "(-1) ** <w>", "5 ** f[<s>]", "<w>(<e>)**2", "<w>.<w>() ** <w>[<e>]", "1.5 ** -<w>", "<w>**-1", "<w> ** <w> ** <w>", "-(5**2)", "5.0 ** <w>(<e>)", "<w>.<w>[1] ** <w>.<w>.<w>", "~<w> ** +<w>", "<w> ** not_x", "True ** <w>", "await <w> ** 2", "<w>[-1]**<w>[1:2]", "<w>(**<w>)**<w>"],
    "wrap_comprehension_in": ["[<e> <for>]", "<w> = {<e>: <e> for <w>, <w> in <logic>}", "<w>(<e> for <w> in <call> if <logic>)", "[<e> async for <w> in (<e>)]", "{<e> for (<w>) in <arith> for <w> in <w>}"],
    "wrap_long_dict_values_in_parens": ["<w> = {<s>: <e>, <s>: <arith>}", "{<s>: (<e>), <w>: <call>}", "{<s>: <s> <s>}", "<w>({<s>: <logic>, **<w>})", "{<w>: <e> <for>}", "{<s>: <w>.<w>.<w>.<w>(<arg*>)}", "{<s>:  # c\n <e>}"],
    "hug_parens_with_braces_and_square_brackets": ["<w>([<e+>])", "<w>({<pair+>})", "<w>(*[<e+>])", "<w>([[<e+>]])", "<w>([<e+>],)", "<w>(**{<pair+>})", "<w>([<e> <for>])", "<w> = [[<e+>]]", "return <w>({<e+>}, )", "<w>(<s>, [<e+>])", "<w>([  # c\n<e+>])", "<w>([<e+>  # c\n])", "<w>((<e>, <e>))", "<w>[{<pair+>}]", "class <w>([<e+>]): pass", "for <w> in ([<e+>]): pass"],
    "string_processing": ["<w>(<s> <s> <s>)", "<w> = <s> % (<e>, <e>)", "raise <w>(<s>\n<s>)", "assert <w>, <s> + <s>", "<w>[<s>] = <s> 'some more text in it'", "<w> = (<s>)", "return <s> if <w> else <s>", "{<s>: <s> 'and'}"],
    "blank_line_after_stub_method": ["class <w>:\n    def <w>(self): ...\ndef <w>(): ...", "class <w>:\n    class <w>:\n        def <w>(): ...\n    def <w>(): ...\ndef <w>(): ...", "if <w>:\n    def <w>(): ...\nelse:\n    def <w>(): ...\n@<w>\ndef <w>(): ...", "class <w>:\n    @<w>\n    def <w>(self): ...\n    async def <w>(self): ...\n# c\nclass <w>: ...", "def <w>(): ...\nif <w>:\n    def <w>(): ...\n    class <w>: ...\nclass <w>: ...", "class <w>:\n    def <w>(self):\n        ...\n\ndef <w>(<param*>)<ret>: ..."],
    "keep_commented_expressions_together": ["<w> = (\n    # c\n    <e> + <e>\n)", "<w>(\n    # c\n    <logic>\n)", "<w>(\n    <logic>\n    # c\n)", "if (\n    <e>\n    # c\n    and <e>  # d\n): pass", "return (\n    # c\n    <w>.<w>(<e>).<w>(<e>)\n)", "<w> = [\n    # c\n    <arith>,\n    # d\n    <compare>\n]", "<w>(<w>=(\n    # c\n    <e> if <e> else <e>\n))", "<w> = {\n    # c\n    <s>: <arith>  # d\n}", "assert (\n    # c\n    <compare>\n), <s>"],
    "avoid_parens_for_unbreakable_rhs_in_assignments": ["<w>.<w> = <w>.<w>.<w>", "<w>[<e>] = <w>", "<w>(<arg*>).<w> = <w>", "<w> = <w> = <w>.<w>", "<w>: <ann> = <w>", "<w>[<w>(<arg*>)] = <s>", "<w>[<sub>][<sub>] = <w>.<w>", "<w>, <w> = <w>.<w>", "<w>[<s>] = <o>  # c", "<w> += <w>.<w>", "<w>.<w>(<arg+>)[<sub>] = not <w>"],
    "parenthesize_expressions_with_comments": ["<w> = <p> + (\n    # c\n    <e>\n)", "return <p> and (  # c\n    <e>\n)", "<w> = <p>(\n    # c\n    <arg*>\n) + <p>", "<w> = (\n    <e>  # c\n    # d\n    + <e>\n)", "if <p> and (\n    # c\n    <e>\n) or <p>: pass", "<w> = <p>[\n    # c\n    <sub>\n].<w>", "<w>(<e> - (  # c\n    <e>\n    # d\n))", "assert <e> == [\n    # c\n    <e>\n], <s>", "<w> = not (  # c\n    <e>\n) in <p>"],
    "keep_trailers_on_bracket_comment_overflow": ["<w> = <w>(<arg+>)[  # a comment of some length, as they are\n    <sub>\n]", "<w>(  # a comment of some length, as they are\n    <arg+>\n).<w>(<arg*>)", "<w> = <w>.<w>(  # c\n    <arg+>\n)[<sub>]", "<w>: <w>[<ann>] = <w>[  # pylint: disable=some-thing, another-thing\n    <sub>\n](<arg*>)", "return <w>(<arg+>)(  # a comment of some length, as they are\n    <arg+>\n)(<arg*>)", "for <w> in <w>(  # a comment of some length, as they are\n    <arg+>\n).<w>: pass", "<w>[<w>[  # a comment of some length, as they are\n    <sub>\n]](<arg+>)"],
}
# What has no feature: parentheses, new syntax and what only some versions take.
OTHERS = ["del (<w>), (<w>[<sub>])", "del (<lhs>, <lhs>,)", "return (<rhs>)", "return ((<e>)), <e>", "for (<w>, <w>) in (<rhs>): pass", "try:\n    pass\nexcept <w>, <w>: pass", "try:\n    pass\nexcept (<w>, <w>): pass", "try:\n    pass\nexcept* (<w>, <w>,): pass", "def <w>[T = <ann>, *Ts = *<w>](<param*>)<ret>: pass", "type <w>[**P = [<ann>]] = <ann>", "with (<with>, <with>): pass", "with <with>, <with>: pass", "lazy import <w>", "assert (<e>), (<e>)", "print(<e> , file = <w>)", "return not (<e>)", "<w> = <w>, *<w>", "[*<w> for <w> in <w>]", "async with (<with>): pass", "if (<w> := <e>): pass", "@(<e>)\n# c\ndef <w>(): pass", "global <w>", "class <w>(): pass", "class <w>(<arg*>,): pass", "in_ = <w> in (<e>)", "<w>: (<ann>) = (<e>)", "from <w> import (<w>)", "import <w> as <w>", "while (<e>): pass", "raise (<e>) from (<e>)", "await (<e>)", "<w> = await (<call> ** 2)", "<simple>", "<simple>; <simple>", "match (<e>):\n    case (<pat>): pass"]

HEADS = ["if <w>:", "def <w>(<param*>)<ret>:", "class <w>:", "async def <w>(self):", "for <w> in <w>:", "with <w>:", "class <w>(<arg*>):", "@<w>\ndef <w>():", "try:"]
EXTRA = {
    "over": ["@overload\ndef f(<param*>)<ret>: ...", "@overload\n@<w>\ndef f(): ...", "@typing.overload\nasync def f(): ...", "def f(): ...", "@overload\ndef g(): ..."],
    "inover": ["@overload\n    def f(<param*>)<ret>: ...", "@<w>\n    @overload\n    def f(self): ...", "def f(self): ...", "# c\n    @overload\n    def f(self): ..."],
}
GRAMMAR = Grammar({**WOVEN_GRAMMAR.rules, **EXTRA}, counts=[1, 1, 1, 2, 3], words=WOVEN_GRAMMAR.words, commas=0.1, commaless=("for", "tp"))


def featured(choose: random.Random, feature: str | None) -> str:
    """Statements for the feature, others beside them."""
    source = mostly_python(lambda: statements(choose, feature), choose)
    if choose.random() < 0.35:
        source = sprinkled(source, choose, choose.choice([0.03, 0.1]), choose.sample(COMMENTS, 2))
    pick = choose.random()
    if pick < 0.06:
        source = source.replace("    ", "\t")
    elif pick < 0.1:
        source = re.sub(r"\n", lambda _: choose.choice(["\n", "\n", "\n\f", "\n\f\n"]), source)
    elif pick < 0.14:
        source = re.sub(r"\n", lambda _: choose.choice(["\n", "\r\n", "\r\n", "\r"]), source)
    elif pick < 0.22:
        source = re.sub(r" (?=[=+*:<>/%(\[-])", lambda _: choose.choice([" ", " ", " \\\n", " \\\n  ", ""]), source)
    elif pick < 0.24:
        source = "\ufeff" + source
    return source


def statements(choose: random.Random, feature: str | None) -> str:
    text = ""
    for _ in range(choose.choice([1, 1, 2, 3])):
        own = FRAMES[feature] if feature else choose.choice(list(FRAMES.values()))
        frame = choose.choice(own if choose.random() < 0.75 else OTHERS)
        text += expand(frame, choose) + "\n" * choose.choice([1, 1, 1, 1, 2, 3])
        if choose.random() < 0.3:
            text = expand(choose.choice(HEADS), choose) + "\n" + indent(text, "    ")
            if text.startswith("try:"):
                text += "finally: pass\n"
    return text


def expand(frame: str, choose: random.Random) -> str:
    rules = Grammar({**GRAMMAR.rules, "frame": [frame]}, GRAMMAR.counts, GRAMMAR.words, GRAMMAR.commas, GRAMMAR.commaless)
    return rules.expand("frame", choose, choose.choice([3, 6, 10, 15]))
