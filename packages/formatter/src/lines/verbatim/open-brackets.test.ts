import { describe, expect, it } from "vitest";
import { formatTheLongWay, verbatimLines, WIDTH } from "../../../test/verbatim.ts";
import { format } from "../../format/format-string.ts";

describe("VerbatimReader, on statements over several lines,", () => {
  it.each([
    "x = f(\n    a,\n    b=g(\n        c,\n        d,\n    ),\n)\n",
    "from a import (\n    b,\n    c as d,\n)\n",
    "@f(\n    a,\n)\nclass B(\n    C,\n    metaclass=D,\n):\n    pass\n",
    "def f(\n    a,\n    b: int = 1,\n    *args,\n    **kwargs,\n) -> int:\n    return [\n        a,\n    ]\n",
    'x = {\n    "a": (\n        1,\n        2,\n    ),\n    **b,\n    (1, 2): 3,\n}\n',
    "raise AaaaaaaaaaaaaaaaaaaError(\n    bbbbbbbbbbbbbbb, ccccccccccccccccccc\n)\n",
    "x = f(\n    aaaaaaaaaaaaaaaaaaaaaa=[\n        bbbbbbbbbbbbbbbbbbbbbbbb for c in d\n    ],\n)\n",
    "def ffffffffffffffffffffffffff(\n    aaaaaaaaaaaaaaa, bbbbbbbbbbb\n):\n    pass\n",
    "f(\n    g(\n        a,\n        b,\n    )\n)\n",
    "f(\n    ggggg(\n        aaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbb\n    )\n)\n",
    "x[0] = f(\n    a,\n    b,\n)\n",
    "a, b = f(\n    a,\n    b,\n)\n",
    "x: int = f(\n    a,\n    b,\n)\n",
    "x += f(\n    a,\n)\n",
    "if f(\n    a,\n    b,\n):\n    pass\n",
    "for a, b in (\n    c,\n    d,\n):\n    pass\n",
    "assert f(\n    a,\n)\n",
    'f(\n    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n    "bbbbbbbbbbbbb",\n    c,\n)\n',
    'raise E(\n    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n    \'"b"\'\n    f"c {d}"\n)\n',
    'x = (\n    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n    "bbbbbbbbbbbbb"\n)\n',
    "xx = (\n    aaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbb + cccc\n)\n",
    "x = y[0] = 1\nx = (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    + bbbbbbbbbbbbbbb * c\n    - cccc\n)\n",
    "if (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    and bbbbbbbbbbbbb is not c\n):\n    pass\n",
    "return_(\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    % (\n        a,\n        b,\n    )\n)\n",
    "x = [\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    for aaaaaa, b in ccccccccccc\n    if d\n]\n",
    "x = (\n    aaaaaaaaaaaaaaaaaa.bbbbb(c)\n    .ddddddddddddd()\n    .eeeeeeeee(f)\n)\n",
    "x = (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    if bbbbbbbbbbb\n    else cccccc\n)\n",
    'f(\n    a=(\n        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n        "bbbbbbbbb"\n    ),\n)\n',
    "x = f(a).b(\n    c,\n)\n",
  ])("finds statements that are split already: %j", (source) => {
    expect(verbatimLines(source).some((line) => /[([{]$/.test(line))).toBe(true);
    expect(format(source, { lineLength: WIDTH })).toBe(source);
    expect(formatTheLongWay(source)).toBe(source);
  });

  it.each([
    "x = f(\n    a, b\n)\n",
    "f(\n    a for a in b,\n    c,\n)\n",
    "x = f(\n    a, b,\n)\n",
    "x = f(\n    a,\n    b)\n",
    "x = f(\n  a,\n  b,\n)\n",
    "x = f(\n    a,\n\n    b,\n)\n",
    "x = f(\n    a,  # c\n    b,\n)\n",
    "x = f(\n    a,\n    b,\n)  # c\n",
    "x = f(\n    a,\n    b,\n).g()\n",
    "x = f(g(\n    a,\n    b,\n))\n",
    "x = a + f(\n    a,\n    b,\n)\n",
    "x = y = f(\n    a,\n    b,\n)\n",
    "x = (\n    a,\n)\n",
    "x = (\n    a\n)\n",
    "x = y[\n    a,\n]\n",
    "x = [\n    (a)\n]\n",
    "x = [\n    aaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbb\n]\n",
    "def f(\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n):\n    pass\n",
    "from aaaaaaaaaaaaaaaaaaaaaaa import (\n    bbbbbbbbbbbbbbbbbbbb, cccc\n)\n",
    "f(a).b(c).d(\n    e,\n    f,\n)\n",
    "f(\n    a\n    + b,\n)\n",
    "f(\n    a + g(\n        b,\n    ),\n    c,\n)\n",
    'f(\n    "a"\n    "b"\n)\n',
    'x = (\n    "a"\n    "b"\n)\n',
    'f(\n    "a" "b"\n    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n)\n',
    "f(\n    aaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbb\n    + cccccccccccc,\n    d,\n)\n",
    "f(\n    aaaaaaaaaaaaaaaaaaaaaaa\n    * bbbbbbbbbbbbbbb + cccccccccccc,\n    d,\n)\n",
    "f(\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa +\n    bbbbbbbbbbbbbbbbbbbbbb,\n    d,\n)\n",
    "x = (\n    a\n)\n",
    "x = (\n    a + b\n)\n",
    "x = (\n    aaaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbb(ccccc)\n)\n",
    "x = (\n    (aaaaaaaaaaaaaaaaaaaaaaaaa, b) + bbbbbbbbbb.cc\n)\n",
    "x = (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbb(c)\n    .ddddddddddddd()\n)\n",
    "x = (\n    aaaaaaaaaaaaaaaaaaaaaa(c).b\n    .ddddddddddddd()\n    .eeeeee()\n)\n",
    "f(\n    a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    if bbbbbbbbbbb\n    else cccccc\n)\n",
    "f(\n    x,\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    if bbbbbbbbbbb\n    else cccccc,\n)\n",
    "f(\n    lambda: aaaaaaaaaaaaaaaaaaaaaaaaaaa\n    + bbbbbbbbbbbbbbbbb\n)\n",
    "x = [\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    for aaaaaa,\n    b in ccccccccccc\n]\n",
    "def f(\n    a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    + bbbbbbbbbbb,\n):\n    pass\n",
    "raise (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    + bbbbbbbbbbb\n)\n",
    "x = (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    if bbbbbbbbbbb\n    else cccccc\n    if d\n    else e\n)\n",
    "x = y = (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    + bbbbbbbbbbb\n)\n",
    "x = [\n    f(\n        aaaaaaaaaaaaaaaaaaaaaaaa,\n    ), b\n]\n",
    "f(\n    g(\n        a\n    )\n)\n",
  ])("leaves the split to the rules: %j", (source) => {
    expect(verbatimLines(source).filter((line) => /[([{]$/.test(line))).toEqual([]);
    expect(format(source, { lineLength: WIDTH })).toBe(formatTheLongWay(source));
  });
});
