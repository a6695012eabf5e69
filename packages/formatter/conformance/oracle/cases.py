"""Cases by seed and number: each can be made again alone, whatever came before it."""

import functools
import random
import re
import sysconfig
from pathlib import Path

import black
from answer import mode_of
from black.mode import Preview, TargetVersion
from cells import cell, spaced
from checked import CHECKED
from corners import CORNERS, regapped
from edges import EDGES
from edits import edit, is_python, statements
from featured import FRAMES, featured
from grafts import grafted
from grammar import grammar
from layouts import LAYOUTS, notebook
from lengthy import LENGTHY
from made import MAKERS, indent, program
from processed import PROCESSED
from silenced import SILENCED
from stubs import STUBS
from texts import TEXTS
from woven import WOVEN, edge_width, mostly_python

WIDTHS = [1, 5, 10, 20, 40, 60, 79, 100, 120]

# How often each kind is made, of what the caller allows.
SHARES = {
    "edited": 5,
    "module": 3,
    "cell": 2,
    "program": 3,
    "directives": 3,
    "literals": 2,
    "continued": 3,
    "commented": 3,
    "expression": 2,
    "strings": 2,
    "indented": 2,
    "fields": 2,
    "typed": 2,
    "paired": 2,
    "patterns": 1,
    "odd": 2,
    "behind": 2,
    "ended": 1,
    "ranged": 2,
    "docstrings": 2,
    "plain": 2,
    "characters": 1,
    "grammar": 3,
    "blanks": 2,
    "spelled": 2,
    "notebook": 1,
    "woven": 4,
    "stubs": 2,
    "processed": 3,
    "fenced": 3,
    "spaced": 1,
    "silenced": 1,
    "featured": 3,
    "parens": 3,
    "detected": 3,
    "soft": 2,
    "commas": 3,
    "dummies": 3,
    "regapped": 3,
    "mixed": 3,
    "again": 4,
    "lengthy": 4,
    "grafted": 4,
}
# The makers that need no statements of real modules.
STATELESS = MAKERS | CHECKED | EDGES | TEXTS | LAYOUTS | WOVEN | STUBS | PROCESSED | SILENCED | CORNERS | LENGTHY | {"grammar": grammar}
# How often the line length is that of a line of the output, or nearly.
EDGE_WIDTHS = {
    "woven": 0.6,
    "processed": 0.5,
    "featured": 0.45,
    "fenced": 0.3,
    "expression": 0.4,
    "strings": 0.3,
    "edited": 0.3,
    "grammar": 0.3,
    "docstrings": 0.3,
    "parens": 0.4,
    "detected": 0.6,
    "commas": 0.4,
    "mixed": 0.3,
    "fields": 0.2,
    "regapped": 0.3,
    "lengthy": 0.5,
    "grafted": 0.4,
}
# How often without the safety check, where the oldest Python that runs Black does not know all of the syntax.
FAST = {"detected": 0.4, "soft": 0.4}
# What is formatted as a notebook.
NOTEBOOKS = ("cell", "notebook", "spaced", "silenced")


@functools.cache
def known_statements(folder: str, pool: str) -> list[str]:
    path = folder or sysconfig.get_paths()["stdlib"]
    return statements(Path(path), random.Random(pool))


def make(folder: str, seed: int, start: int, count: int, makers: list[str]) -> list:
    """`count` cases from number `start` on. A case has "number", "maker", "source", "options", "ranges" and "fast"."""
    known = known_statements(folder, f"{seed}:{start // 20_000}")
    return [case(known, seed, number, makers) for number in range(start, start + count)]


def case(known: list[str], seed: int, number: int, makers: list[str]) -> dict:
    choose = random.Random(f"{seed}:{number}")
    names = [name for name in SHARES if not makers or name in makers]
    maker = choose.choices(names, [SHARES[name] for name in names])[0]
    options = options_for(maker, choose)
    source = source_for(maker, known, options, choose)
    if choose.random() < EDGE_WIDTHS.get(maker, 0.05 if maker not in NOTEBOOKS else 0):
        options["line_length"] = edge_width(source, options, choose)
    ranges = []
    if not options.get("is_ipynb") and (maker == "ranged" or choose.random() < 0.15):
        ranges = line_ranges(source, choose)
    if choose.random() < 0.03:
        source = source.replace("\n", "\r\n")
    return {
        "number": number,
        "maker": maker,
        "source": source,
        "options": options,
        "ranges": ranges,
        "fast": choose.random() < FAST.get(maker, 0.15),
    }


def source_for(maker: str, known: list, options: dict, choose: random.Random) -> str:
    if maker == "cell":
        return cell(known, choose)
    if maker == "spaced":
        return spaced(known, choose)
    if maker == "notebook":
        return notebook(known, choose)
    if maker == "featured":
        return featured(choose, next(iter(options.get("enabled_features", [])), None))
    if maker == "characters":
        return TEXTS[maker](choose)
    if maker == "regapped":
        return regapped(plain_source(known, options, choose), choose, choose.choice([0.03, 0.1, 0.3]))
    if maker == "mixed":
        return mixed(known, options, choose)
    if maker == "grafted":
        stock, scion = (plain_source(known, options, choose) for _ in range(2))
        return mostly_python(lambda: grafted(stock, scion, choose), choose, 3)
    if maker == "again":
        return again(known, options, choose)
    if maker == "edited":
        return edited(known_statement(known, choose), choose.choice([0, 1, 1, 2, 3, 5]), choose)
    if maker == "module":
        source = module(known, choose)
        if choose.random() < 0.3:
            source = formatted(source, options)
        return edited(source, choose.choice([0, 1, 1, 2, 3]), choose)
    source = STATELESS[maker](choose)
    if maker in NOTEBOOKS:
        return source
    return edited(source, choose.choice([0, 0, 0, 1, 2]), choose)


def plain_source(known: list, options: dict, choose: random.Random) -> str:
    """What one of the makers of statements makes."""
    name = choose.choice(["edited", "featured", *(name for name in STATELESS if name not in NOTEBOOKS)])
    return source_for(name, known, options, choose)


def mixed(known: list, options: dict, choose: random.Random) -> str:
    """What two or three makers make, one below the other, some of it in a block."""
    source = ""
    for _ in range(choose.choice([2, 2, 3])):
        part = mostly_python(lambda: plain_source(known, options, choose), choose, 5)
        if choose.random() < 0.3:
            part = choose.choice(["if x:", "def f():", "class A:", "for x in y:", "with a:"]) + "\n" + indent(part, "    ")
        source += part + ("" if part.endswith("\n") else "\n") + "\n" * choose.choice([0, 0, 0, 1, 2])
    return source


def again(known: list, options: dict, choose: random.Random) -> str:
    """What is formatted already, or was before a change or two: most of such a file is taken as it is."""
    make = lambda: formatted(source_for(choose.choice(["mixed", "woven", "parens", "dummies", "module", "stubs"]), known, options, choose), options)
    source = "\n".join(make() for _ in range(choose.choice([1, 1, 2])))
    pick = choose.random()
    if pick < 0.4:
        return edited(source, choose.choice([1, 1, 2, 3]), choose)
    if pick < 0.7:
        return regapped(source, choose, choose.choice([0.005, 0.02]))
    if pick < 0.85:
        return re.sub(r"\n+", lambda found: choose.choice([found[0]] * 9 + ["\n", "\n\n", "\n\n\n"]), source)
    return source


def known_statement(known: list[str], choose: random.Random) -> str:
    """Rather a short one: what shows in ten statements shows in each of them, in a tenth of the time."""
    return min(choose.choices(known, k=choose.choice([1, 2, 3])), key=len)


def edited(source: str, times: int, choose: random.Random) -> str:
    """Mostly Python: of the edits that leave none, one in twenty stays."""
    for _ in range(times):
        changed = edit(source, choose)
        if is_python(changed, choose) or choose.random() < 0.05:
            source = changed
    return source


def module(known: list[str], choose: random.Random) -> str:
    """One to four statements with blank lines around them."""
    source = "\n" * choose.choice([0, 0, 0, 1, 2])
    for _ in range(choose.choice([1, 1, 2, 3, 4])):
        source += program(choose) if choose.random() < 0.2 else known_statement(known, choose)
        if not source.endswith("\n"):
            source += "\n"
        source += "\n" * choose.choice([0, 0, 1, 2, 3])
    return source


def formatted(source: str, options: dict) -> str:
    try:
        return black.format_str(source, mode=mode_of(options))
    except Exception:
        return source


def options_for(maker: str, choose: random.Random) -> dict:
    """Members of Black's `Mode`; what is not named has its default."""
    chosen: dict[str, object] = {}
    if maker in NOTEBOOKS:
        chosen["is_ipynb"] = True
        if choose.random() < 0.1:
            chosen["python_cell_magics"] = ["bash", "mine"]
    elif choose.random() < (0.7 if maker == "stubs" else 0.1):
        chosen["is_pyi"] = True
    if choose.random() < 0.35:
        chosen["line_length"] = choose.choice(WIDTHS)
    style = choose.random() * (0.3 if maker == "processed" else 1)
    if style < 0.35:
        chosen["preview"] = True
        chosen["unstable"] = style < 0.17
    elif style < 0.45:
        features = [feature.name for feature in Preview]
        chosen["enabled_features"] = choose.sample(features, choose.choice([1, 2, 5]))
        chosen["preview"] = choose.random() < 0.5
    if maker == "featured":
        for name in ("preview", "unstable", "enabled_features"):
            chosen.pop(name, None)
        feature = choose.choice(list(FRAMES))
        if choose.random() < 0.85:
            chosen["enabled_features"] = [feature]
        if choose.random() < 0.8 and feature.startswith("pyi"):
            chosen["is_pyi"] = True
    for name in ("string_normalization", "magic_trailing_comma"):
        if choose.random() < 0.1:
            chosen[name] = False
    if choose.random() < 0.15:
        versions = [version.name.lower() for version in TargetVersion]
        # Without a list of their own, newer ones would hardly be met.
        newest = versions[-4:] if choose.random() < 0.5 else versions
        chosen["target_versions"] = choose.sample(newest, choose.choice([1, 1, 2, 3]))
    if choose.random() < 0.03 and maker not in NOTEBOOKS:
        chosen["skip_source_first_line"] = True
    return chosen


def line_ranges(source: str, choose: random.Random) -> list[tuple[int, int]]:
    """Up to three ranges of lines, both ends included; they may overlap and leave the source."""
    ranges = []
    for _ in range(choose.choice([1, 1, 1, 2, 3])):
        first = choose.randint(1, len(source.splitlines()) + 1)
        ranges.append((first, first + choose.choice([0, 0, 0, 1, 2, 5, 10])))
    return ranges
