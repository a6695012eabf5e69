"""Statements with many links of a kind, which are laid out in steps of their own because Black's take too long there."""

import random

from edits import COMMENTS
from made import indent
from woven import mostly_python

NAMES = "a b x self value some_object an_attribute_of_some_length".split()
TRAILERS = ["[@]", "(@)", ".@", ".@", "(@, @)", "[@:@]", "(*@)", "(@=@)", "()", "[@,]", "(@,)", "(lambda: @)", "[[@]]", "({@: @})", "(§@)", "[@, @]", "(@)(@)", ".@(@)", "('s')", "[-@]", "((@))", "(@ + @)", "(@ if @ else @)"]
LINKS = {
    "targets": ["@ = ", "@ = ", "@ = ", "(@) = ", "@.@ = ", "@[@] = ", "@, @ = ", "(@, @) = ", "[@] = ", "*@, @ = ", "@(@)[@] = ", "@[@,] = ", "((@)) = ", "(§@) = ", "@,  = ", "(@, (@, @)) = ", "@.@[@].@ = ", "@[@][@] = "],
    "trailers": TRAILERS,
    "items": ["@, ", "@ as @, ", "(@) as @, ", "(@), ", "@(@) as @, ", "(await @) as @, ", "not @, ", "(not (@)) as (@), ", "@ as (@, @), ", "@[@] as @[@], ", "(@, @), ", "((@)) as @, ", "(@ + @), ", "(yield), ", "[@] as @.@, ", "(§@), ", "(lambda: @), ", "(@ as @), "],
    "operators": [" + @", " and @(@)", " or (@)", " not in @", " if @ else @", " | @[@]", " ** -@", " % '@'", " == @", " is not @", " - (@)", " * @.@", " and not @", " < @ <= @", " @ @", " or (@ and @)", " + (§@)", " // ((@))"],
    "arguments": ["@, ", "*@, ", "@=@, ", "**@, ", "@(@), ", "[@], ", "(@ := @), ", "'@' '@', ", "lambda: @, ", "(@), ", "((@)), ", "(@, @), ", "@ if @ else @, ", "-@, ", "§@, ", "not @, ", "@[@], ", "{@: @}, ", "@ + @, ", "(yield), "],
    "strings": [" '@ and some words'", " f'{@}'", ' "it\'s"', " f'{@!r:>{@}} words'", " 'a'", " ''", " r'\\d'", ' "@"', "§ 'words'", "\n 'more words'", " f'{{@}}'"],
    "pairs": ["@: @, ", "'k': @, ", "'k': (@), ", "**@, ", "@(@): @[@], ", "@ + @: @, ", "'k': @ + @, ", "'k': '@' '@', ", "'k': lambda: @, ", "(@, @): [@], ", "§'k': @, ", "'k': @ if @ else @, ", "'k': {@: @}, "],
}
FRAMES = {
    "targets": ["{}@", "{}(@)", "{}@(@)", "{}@[@]", "{}'s' 's'", "{}(@, @)", "{}not @", "{}[@, @,]", "{}yield @", "{}@ if @ else @", "{}@.@.@", "{}{@: @}", "{}await @(@)", "{}@ + @", "{}@  # c", "{}lambda: @", "{}(§@)"],
    "trailers": ["x = @{}", "return @{}", "assert @{}, @{}", "for x in @{}: pass", "@{}.x = @{}", "x: @{} = @{}", "del @{}", "with @{} as b, @{}: pass", "if @{} and @{}: pass", "f(@{}, @{})", "x = {'k': @{}}", "@a{}\ndef f(): pass", "print(@{} for x in @{})", "x = not @{}", "x = @{} if @{} else @{}", "@{}", "x = (yield @{})", "return (@{})", "x = @{} + @{}", "await @{}", "x = (@{})[@]", "@{}[@] = @{}", "def f() -> @{}: pass", "x += @{}", "raise @{} from @{}", "x = -@{} ** @{}", "x = 's'{}", "x = @ = @{}", "while not @{}: pass", "class A(@{}): pass", "match @{}:\n    case @ if @{}: pass", "x[@{}] = @"],
    "items": ["with {}@: pass", "with {}@ as @: pass", "async with {}@: pass", "with ({}): pass", "with ({}@ as @): pass", "with {}(@) as (@): pass", "with {}@: pass # c", "with {}@(@): pass", "async with ({}@): pass"],
    "operators": ["x = @{}", "return @{}", "if @{}: pass", "assert @{}, @{}", "f(@{})", "f(@{}, @)", "x = (@{})", "return not (@{})", "while (@{}): pass", "x = [@{} for @ in @{} if @{}]", "x = {'k': @{}}", "@{}", "x[@{}] = @{}", "for x in @{}: pass", "x = @(@{})[@{}]", "lambda: @{}", "x = -(@{})", "x: int = @{}", "x = @ = @{}", "with @{}: pass", "match @{}:\n    case @ if @{}: pass", "raise @(@{})", "def f(a=@{}): pass", "x = @ if @{} else @{}", "x = yield @{}", "del @[@{}]", "print('a' % (@{}))"],
    "arguments": ["f({})", "x = f({})", "x = [{}]", "x = ({})", "return {}", "return [{}]", "x = {{}}", "class A({}): pass", "f({}).@({})", "x = {}@", "for x in {}@: pass", "@f({})\ndef f(): pass", "yield {}", "x[{}]", "x[{}] = @", "f(@)({})", "if f({}): pass", "f(f({}))", "print({}file=@)", "x = @.@({})[@]", "x: T[{}] = @", "del {}@", "with f({}) as @: pass", "assert f({}), @", "x = f({}) + f({})", "return f({}) if @ else @"],
    "strings": ["x = @{}", "x = ({})", "f({})", "f({}, @)", "return ({})", "assert @, ({})", "x = {'k': ({})}", "raise A({})", "x = [{}, @]", "x += ({})", "f(@=({}))", "x = ({}).@(@)", "x = ({}) % @", "if @ in ({}): pass", "x = @ if @ else ({})", "x = ({}) + ({})"],
    "pairs": ["x = {{}}", "f({{}})", "f({{}}, @)", "return {{}}", "x = [{{}}]", "x = f(@)[{{}}]", "f(@={{}})", "x = {'k': {{}}, @: {{}}}", "x: @ = {{}}", "assert {{}} == {{}}"],
}
PAIRS = [("(", ")"), ("[", "]"), ("{", "}"), ("@(", ")"), ("(not ", ")"), ("(@, ", ")"), ("(lambda: ", ")"), ("[@ for @ in ", "]"), ("(@ if @ else ", ")"), ("await (", ")"), ("-(", ")"), ("{@: ", "}"), ("@[", "]"), ("(@ + ", ")"), ("(", ",)"), ("[", ", @]"), ("@.@(", ").@"), ("(§", ")"), ("(*", ",)"), ("f'{", "}'"), ("(yield ", ")"), ("@(@=", ")"), ("(", ").@(@)")]


def filled(text: str, choose: random.Random, share: float) -> str:
    """Names for the marks, comments for some of the places where they may stand."""
    parts = text.split("§")
    text = parts[0]
    for part in parts[1:]:
        text += ("  " + choose.choice(COMMENTS) + "\n" if choose.random() < share else "") + part
    return "".join(choose.choice(NAMES) if char == "@" else char for char in text)


def links(kind: str, choose: random.Random) -> str:
    some = choose.sample(LINKS[kind], choose.choice([1, 1, 2, 3, len(LINKS[kind])]))
    return "".join(choose.choice(some) for _ in range(choose.choice([2, 3, 5, 8, 13, 21, 34])))


def statement(choose: random.Random) -> str:
    if choose.random() < 0.15:
        pairs = [choose.choice(PAIRS) for _ in range(choose.choice([2, 3, 5, 8, 13, 20]))]
        text = "".join(opening for opening, _ in pairs) + "@" + "".join(closing for _, closing in reversed(pairs))
        frame = choose.choice(FRAMES["trailers"] + FRAMES["operators"])
        return frame.replace("{}", text, 1).replace("{}", "")
    kind = choose.choice(list(LINKS))
    text = choose.choice(FRAMES[kind])
    if kind == "pairs" or text == "x = {{}}":
        text = text.replace("{{}}", "{\0}").replace("\0", "{}")
    while "{}" in text:
        text = text.replace("{}", links(kind, choose).replace("{}", "()"), 1)
    return text


def lengthy(choose: random.Random) -> str:
    """One or two such statements, some in blocks, some among links of another kind."""

    def make() -> str:
        text = "".join(filled(statement(choose), choose, choose.choice([0, 0, 0.05, 0.3])) + "\n" for _ in range(choose.choice([1, 1, 1, 2])))
        for _ in range(choose.choice([0, 0, 0, 1, 3])):
            text = choose.choice(["if x:", "async def f():", "class A:", "with a:"]) + "\n" + indent(text, "    ")
        return text

    return mostly_python(make, choose, 4)


LENGTHY = {"lengthy": lengthy}
