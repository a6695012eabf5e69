"""Programs made for the places where layout, comments, directives and literals meet; none comes from anywhere."""

import random

from edits import COMMENTS, EXPRESSIONS

DIRECTIVES = [
    "# fmt: off",
    "# fmt: on",
    "# fmt: skip",
    "# yapf: disable",
    "# yapf: enable",
    "# c",
    "# TABLE = [1,  2]",
    "",
]

# One of every kind of statement, badly spaced.
SIMPLE = [
    "x  = 1",
    "x : int=( 1 )",
    "x +=  1 ,",
    "del (a),  b",
    "pass",
    "return  ( x )",
    "return not(x)",
    "yield  x , y",
    "x = yield( x )",
    "await  ( x )",
    "raise  A  from  ( b )",
    "assert( x ),  'm'",
    "import  a . b as c ,d",
    "from a  import ( b,c as d )",
    "from . import *",
    "global  a,b",
    "nonlocal  a",
    "break",
    "continue",
    "type  X[T]  = int",
    "print( * a , ** b )",
    "'doc'",
    '"""doc\n\n  text\n    """',
    "x = a if b else( c )",
    "x = lambda  a,*b,c=1 : ( a )",
    "a  [ 1 :2, :: 3 ] = b . c( d ) [ e ]",
    "a = b = ( c )",
    "( a ,b ) = c",
    "not( a )",
    "- a ** -b",
    "x = [ i for i in( a ) if b ]",
    "x = { ** a,'b' : 1 ,}",
    "x = {( 1 )}",
    "x = 0XFFl if 0 else 1E5J",
    "...",
    "a;b ; c",
    "a @ b|c",
    "(yield)",
    "exec (a)",
]
HEADS = [
    "if  ( x ) :",
    "while( x ):",
    "for( a )in( b ):",
    "for a ,in * b,c:",
    "async  for x in y :",
    "with  a  as b :",
    "with( a ):",
    "with a,b as( c ):",
    "with ( a as b , c ) :",
    'with open("c") as d:',
    "async with a,b :",
    "def  f ( a,*,b:int=1 )->( int ) :",
    "def f[T:(int,str)=A, *Ts, **P](a, /, b, ):",
    "async def f( ) -> a[b] :",
    "class  A ( B , m=C ) :",
    "class A() :",
    "class A:",
    "try :",
    "@ a . b( c )\ndef f():",
    "@a\n# c\n@b\nclass A:",
]
TAILS = {
    "if": ["elif( y ) :", "else :"],
    "while": ["else :"],
    "for": ["else :"],
    "try": ["except( A ) :", "except A as b :", "except A,B:", "except* A :", "else :", "finally :"],
}
PATTERNS = [
    "1",
    "-1.5 + 2j",
    "a . b",
    "[ a,* b ]",
    "( a )",
    "a ,b",
    "{ 'k' : v , ** r }",
    "A( x , y = ( z ) )",
    "A(x as y)",
    "1 | ( 2|3 )",
    "( a | b ) as c",
    "_",
    "None",
    "'a' 'b'",
    "[A([B(), c as d])]",
]


def indent(text: str, by: str) -> str:
    return "".join(by + line if line.strip() else line for line in text.splitlines(keepends=True))


def noise(choose: random.Random, likely: float = 0.3) -> str:
    """Comment lines, directives and blank lines between statements; mostly nothing."""
    text = ""
    while choose.random() < likely:
        pick = choose.random()
        if pick < 0.4:
            text += choose.choice(COMMENTS) + "\n"
        elif pick < 0.8:
            text += choose.choice(DIRECTIVES) + "\n"
        else:
            text += "\n" * choose.choice([1, 1, 2, 3])
    return text


def trailing(choose: random.Random, likely: float = 0.15) -> str:
    if choose.random() > likely:
        return "\n"
    return choose.choice(["  ", " ", ""]) + choose.choice(COMMENTS) + "\n"


def body(choose: random.Random, depth: int) -> str:
    if choose.random() < 0.15:
        return " " + choose.choice(SIMPLE[:6]) + trailing(choose)
    width = choose.choice(["    ", "    ", "  ", "\t", " "])
    text = "".join(
        noise(choose, 0.15) + statement(choose, depth + 1) for _ in range(choose.choice([1, 1, 2]))
    )
    return trailing(choose) + indent(noise(choose, 0.1) + text, width)


def statement(choose: random.Random, depth: int = 0) -> str:
    """A statement of any kind, with comments and directives within."""
    if depth > 2 or choose.random() < 0.55:
        return choose.choice(SIMPLE) + trailing(choose)
    if choose.random() < 0.12:
        return match(choose, depth)
    head = choose.choice(HEADS)
    text = head + body(choose, depth)
    tails = TAILS.get(head.split()[0].split("(")[0], [])
    if head.startswith("try"):
        tails = [choose.choice(tails)] + ([tails[-1]] if choose.random() < 0.3 else [])
    elif choose.random() > 0.3:
        tails = []
    for tail in tails:
        text += noise(choose, 0.1) + tail + body(choose, depth)
    return text


def match(choose: random.Random, depth: int) -> str:
    cases = "".join(
        noise(choose, 0.1)
        + "case "
        + choose.choice(PATTERNS)
        + choose.choice(["", "", " if( x )", " if a,b"])
        + " :"
        + body(choose, depth + 1)
        for _ in range(choose.choice([1, 2]))
    )
    subject = choose.choice(["x", "( x )", "* a,b", "a[b](c)", "( yield )", "{a: b}", "-x"])
    return f"match {subject} :{trailing(choose)}{indent(cases, '    ')}"


def program(choose: random.Random) -> str:
    return "".join(noise(choose) + statement(choose) for _ in range(choose.choice([1, 1, 2, 3]))) + noise(
        choose, 0.2
    )


def directives(choose: random.Random) -> str:
    """A statement behind, between and before directives."""
    text = ""
    for _ in range(choose.choice([1, 2, 2, 3])):
        for _ in range(choose.choice([0, 1, 2, 3])):
            text += choose.choice(DIRECTIVES) + "\n"
        one = statement(choose, choose.choice([0, 3]))
        if choose.random() < 0.2:
            one = one.rstrip("\n") + "  " + choose.choice(DIRECTIVES[:3]) + "\n"
        text += one
    for _ in range(choose.choice([0, 0, 1, 2])):
        text += choose.choice(DIRECTIVES) + "\n"
    for _ in range(choose.choice([0, 0, 1, 2])):
        text = choose.choice(HEADS) + "\n" + indent(text, "    ")
    return text


def literal(choose: random.Random, depth: int = 0) -> str:
    """An f-string or t-string, with others in its fields; up to three levels, not always valid."""
    prefix = choose.choice(["f", "f", "f", "F", "rf", "fR", "t", "Rt"])
    quote = choose.choice(["'", '"', "'''", '"""'])
    text = ""
    for _ in range(choose.choice([0, 1, 1, 2, 3])):
        text += (
            field(choose, depth)
            if choose.random() < 0.7
            else choose.choice(
                [
                    "a",
                    " ",
                    "{{",
                    "}}",
                    "\\n",
                    "\\",
                    "it's",
                    '"',
                    "'",
                    "\\N{EN DASH}",
                    "\\{",
                    "é",
                    "\n",
                    "\\\n",
                    "# c",
                    "\\u00E9",
                ]
            )
        )
    return prefix + quote + text + quote


def field(choose: random.Random, depth: int) -> str:
    inner = choose.choice(
        [
            "a",
            "a",
            " a ",
            "(b)",
            "d['k']",
            'd["k"]',
            "x,y",
            "lambda: 1",
            "(lambda: 1)",
            "a:=b",
            "(a:=b)",
            "*a",
            "yield",
            "{1: 2}",
            "{a}",
            " {a} ",
            "a if b else c",
            "a!=b",
            "a==b",
            "a\n",
            "\na",
            "a # c\n",
            "a\\\n",
            "",
            "await a",
            "'x'",
            '"y"',
            "'''z'''",
            "a['b']['c']",
            "a.b(c)",
            "-a",
            "not a",
            "'}'",
            "'{'",
            "'#'",
            "':'",
        ]
    )
    if depth < 3 and choose.random() < 0.3:
        inner = choose.choice(["", " ", "a + "]) + literal(choose, depth + 1)
    text = "{" + inner
    if choose.random() < 0.2:
        text += choose.choice(["=", " = ", "= # c\n", "=\\\n"])
    if choose.random() < 0.2:
        text += choose.choice(["!r", "!s", "!a", " !r", "!r ", "!r # c\n", "!x", "! r"])
    if choose.random() < 0.3:
        text += ":" + choose.choice(
            [
                ">10",
                "{w}.{p}",
                "%Y-%m",
                "",
                "{ w }",
                "{w!r:>{x}}",
                "\n",
                "{{",
                "'",
                '"',
                "\\n",
                " ",
                "b!",
                "#x",
                "{f'{a}'}",
                "\\x41",
            ]
        )
    return text + choose.choice(["}", "}", "}", "}", "}", "}}", ""])


def literals(choose: random.Random) -> str:
    one = literal(choose)
    if choose.random() < 0.3:
        one += " " + choose.choice([literal(choose), "'a'", 'b"x"'])
    return choose.choice(
        [
            "x  = {}",
            "f( {} )",
            "{}",
            "return  {}",
            "x  = [{}, a]",
            "def f():\n  {}",
            "x = ({}\n  {})",
            "if {} : pass",
            "x  = {} % a",
            "assert x,  {}",
        ]
    ).replace("{}", one) + trailing(choose)


def continued(choose: random.Random) -> str:
    """Short statements with backslashes, comments and changes of indentation between them."""
    text = ""
    depth = 0
    for _ in range(choose.choice([2, 3, 4, 5, 6])):
        pick = choose.random()
        width = choose.choice([depth, depth, depth, depth, max(0, depth - 1), depth + 1]) * 4
        margin = " " * choose.choice([width, width, width, width + 1, width + 5])
        if pick < 0.3:
            line = choose.choice(
                ["if x:", "def f():", "class A:", "else:", "for a in b:", "with a:", "try:", "finally:"]
            )
            depth = width // 4 + 1
        elif pick < 0.5:
            line = choose.choice(COMMENTS)
        elif pick < 0.65:
            margin, line = choose.choice([margin, ""]), "\\"
        elif pick < 0.72:
            margin, line = "", choose.choice(["", "\f", "\t", "  "])
        else:
            line = choose.choice(
                [
                    "pass",
                    "x  = 1",
                    "return  x",
                    "a = \\\n  b",
                    "f(\\\n)",
                    "a;\\\nb",
                    "(a # c\n)",
                    "x = '''a\\\n'''",
                ]
            )
            depth = width // 4
        ending = choose.choice(["", "", "", "", " \\", "\\", "  # c", "  # c \\", " # fmt: skip", ";"])
        text += margin + line + ending + "\n"
    return text if choose.random() < 0.9 else text.rstrip("\n")


def commented(choose: random.Random) -> str:
    """A bracketed statement with comments, type comments among them, wherever a line may end."""
    shape = choose.choice(
        [
            ["x  = ", "foo(", "1", ",", "b", ")"],
            ["from foo import ", "(", "bar", ",", "baz", ")"],
            ["def f(", "a", ",", "*", ",", "b=1", ")", ":", "\n  pass"],
            ["x = ", "[", "1", ",", "2", "]"],
            ["return ", "(", "not ", "a", ")"],
            ["for x in ", "(", "a", ",", "b", ")", ":", "\n  pass"],
            ["with ", "(", "a", ")", ":", "\n  pass"],
            ["x = ", "{", "'a'", ":", "1", ",", "}"],
            ["if ", "(", "a ", "and ", "b", ")", ":", "\n  pass"],
            ["x", "[", "a", ":", "b", "]", " = ", "c"],
            ["assert ", "(", "a", ")", ", ", "(", "'b'", ")"],
            ["x = ", "a", "(", ")", ".b", "(", "c", ")"],
            ["x: ", "(", "int", ")", " = ", "(", "1", ")"],
            ["def f(", "a", ")", " -> ", "(", "int", ")", ":", "\n  pass"],
            ["x = ", "(", "lambda ", "a", ": ", "b", ")"],
            ["del ", "(", "a", ",", "b", ")"],
            ["x = ", "(", "'a' ", "'b'", ")"],
            ["case", " = ", "(", "a ", "if ", "b ", "else ", "c", ")"],
        ]
    )
    share = choose.choice([0.15, 0.3, 0.5])
    opened = 0
    text = ""
    for index, piece in enumerate(shape):
        text += piece
        opened += sum(piece.count(mark) for mark in "([{") - sum(piece.count(mark) for mark in ")]}")
        is_end = index + 1 == len(shape)
        if (opened > 0 or is_end) and choose.random() < share:
            text += (
                choose.choice(["", " ", "  "])
                + choose.choice(COMMENTS)
                + ("" if is_end else "\n" + " " * choose.choice([0, 4]))
            )
        elif opened > 0 and choose.random() < 0.15:
            text += choose.choice(["\n", "\n\n", "\\\n"])
    return text + "\n"


def deep_expression(choose: random.Random) -> str:
    """Expressions nested in one another by operators, calls and displays."""

    def build(depth: int) -> str:
        if depth == 0 or choose.random() < 0.2:
            return choose.choice(EXPRESSIONS)
        shape = choose.choice(
            [
                "({})",
                "[{}, {}]",
                "{} + {}",
                "{} and {}",
                "f({}, {})",
                "{}[{}]",
                "{}.a({})",
                "not {}",
                "{} if {} else {}",
                "lambda a: {}",
                "{{}: {}}",
                "*{}",
                "await {}",
                "{} == {}",
                "-{}",
                "{} ** {}",
                "({} for a in {})",
                "[{} for a in {} if {}]",
                "{}\n+ {}",
                "f(a={}, **{})",
                "({},)",
                "{} % ({}, {})",
                "(yield {})",
                "(a := {})",
                "{}[{}:{}]",
                "({}\n{})",
                "in_({}) in {}",
                "'%s' % {}",
            ]
        )
        while "{}" in shape:
            shape = shape.replace("{}", build(depth - 1), 1)
        return shape

    start = choose.choice(
        [
            "x = {}",
            "x = {}",
            "{}",
            "return {}",
            "if {}: pass",
            "for a in {}: pass",
            "x: {} = {}",
            "assert {}, {}",
            "with {} as a: pass",
            "with {}, {}: pass",
            "del {}",
            "{} = {}",
            "print({})",
            "@{}\ndef f(a={}) -> {}: pass",
            "x = y = {}",
            "x += {}",
            "raise {} from {}",
            "while {}: pass",
            "import_({})",
            "class A({}): pass",
            "match {}:\n  case a if {}: pass",
            "type X = {}",
            "x[{}] = {}",
            "yield {}",
        ]
    )
    while "{}" in start:
        start = start.replace("{}", build(choose.choice([1, 2, 3])), 1)
    return start + "\n"


def long_strings(choose: random.Random) -> str:
    """Strings that are merged, split and wrapped where the style processes them."""
    words = " ".join(
        choose.choice(
            [
                "some",
                "words",
                "that",
                "fill",
                "lines",
                "{a}",
                "%s",
                "\\n",
                "it's",
                '\\"',
                "https://a.b/c",
                "é",
                "{{x}}",
                "\\N{EN DASH}",
            ]
        )
        for _ in range(choose.choice([2, 5, 12, 25]))
    )
    prefix = choose.choice(["", "", "", "f", "r", "b", "u", "rf", "t"])
    if "'" in words and choose.random() < 0.5:
        words = words.replace("'", "")
    quote = choose.choice(["'", '"'])
    if quote in words.replace("\\" + quote, ""):
        quote = '"' if quote == "'" else "'"
    one = prefix + quote + words + quote
    two = choose.choice(
        [
            "",
            "",
            " 'more'",
            "\n  'more text here'",
            " f'{b}'",
            " + 'c'",
            " % (a, b)",
            ".format(a, b=c)",
            " # c\n 'd'",
            " in c",
            " if a else 'b'",
        ]
    )
    shape = choose.choice(
        [
            "x = ({})",
            "x = {}",
            "f({}, a)",
            "f({})",
            "return ({})",
            "assert x, ({})",
            "x = {'k': {}, 'l': a}",
            "raise A({}, {})",
            "x = [{}, {}]",
            "def f(a=({})): pass",
            "x += ({})",
            "y = a.b(({}), c={})",
            "x = a if b else ({})",
            "x['k'] = ({})",
            "for a in ({}): pass",
            "def f():\n    return ({})",
            "x = (lambda: {})",
            "a = ({}).b",
        ]
    )
    return shape.replace("{}", one + two, 1).replace("{}", one) + trailing(choose)


MAKERS = {
    "program": program,
    "directives": directives,
    "literals": literals,
    "continued": continued,
    "commented": commented,
    "expression": deep_expression,
    "strings": long_strings,
}
