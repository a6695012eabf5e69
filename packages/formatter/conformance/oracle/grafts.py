"""Expressions of one program in the places of those of another, with the comments and line ends that they hold."""

import ast
import random
import warnings

warnings.simplefilter("ignore")


def expressions(source: str, kinds: tuple = (ast.expr, ast.pattern)) -> list[tuple[int, int]]:
    """Where in the source's UTF-8 bytes its expressions and patterns begin and end; none where Python does not take it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    # As `ast` counts lines.
    starts = [0]
    for line in source.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, kinds):
            begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
            if begin < end:
                found.append((begin, end))
    return found


def grafted(stock: str, scion: str, choose: random.Random) -> str:
    """The first program with some of its expressions replaced by those of the second, most of them between parentheses."""
    stock, scion = (text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "") for text in (stock, scion))
    grafts = expressions(scion)
    pieces = scion.encode()
    for _ in range(choose.choice([1, 1, 2, 3, 5])):
        places = expressions(stock)
        if not places or not grafts:
            break
        begin, end = choose.choice(places)
        first, last = choose.choice(grafts)
        graft = pieces[first:last].decode(errors="replace")
        pick = choose.random()
        if pick < 0.3 or ("\n" in graft and pick < 0.9):
            graft = f"({graft})"
        elif pick < 0.4:
            graft = choose.choice(["(\n{}\n)", "(  # c\n{})", "({}  # c\n)", "(\n# c\n{})", "({},)", "[{}]", "not {}", "-{}", "await {}", "*{}", "({} for x in y)", "(x := {})", "lambda: {}", "{} if x else y", "f(**{})", "f'{{{}}}'", "t'{{{}!r:>{{x}}}}'", "({})({})", "{}.a", "{}[a]", "{}()", "a ** {}", "{} ** -a", "{}, a"]).replace("{}", graft).replace("{{", "{").replace("}}", "}")
        data = stock.encode()
        stock = (data[:begin] + graft.encode() + data[end:]).decode(errors="replace")
    return stock
