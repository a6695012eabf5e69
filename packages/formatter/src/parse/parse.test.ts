import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyRule } from "../../test/every-rule.ts";
import { THREAD_STACK_MB } from "../concurrency/worker-threads.ts";
import { dumpTree } from "../debug/dump-tree.ts";
import { Feature } from "../mode/target-version.ts";
import { kindName } from "../syntax/kind-names.ts";
import { FIRST_NODE, Kind } from "../syntax/kinds.ts";
import { TextFlag, type Tree } from "../syntax/tree.ts";
import { inferTargetVersions } from "./infer-target-versions.ts";
import { parse } from "./parse.ts";

function dump(source: string): string[] {
  const { tree, root } = parse(source, []);
  return dumpTree(tree, root).split("\n");
}

function joined(tree: Tree, root: number): string {
  return tree
    .leaves(root)
    .map((leaf) => tree.prefix(leaf) + tree.text(leaf))
    .join("");
}

describe("the tree", () => {
  test("has nearly every kind of node for a source that uses nearly every rule", () => {
    const { tree } = parse(everyRule, []);
    const seen = new Set(tree.kind.subarray(0, tree.count));
    const missing: number[] = [];
    for (let kind = FIRST_NODE; kindName(kind) !== undefined; kind++) if (!seen.has(kind)) missing.push(kind);
    expect(missing.length).toBeLessThan(25);
  });

  test("has no node for a single child", () => {
    expect(dump("x = a\n")).toEqual([
      "file_input",
      " simple_stmt",
      "  expr_stmt",
      '   NAME "" "x"',
      '   EQUAL " " "="',
      '   NAME " " "a"',
      '  NEWLINE "" "\\n"',
      ' ENDMARKER "" ""',
    ]);
  });

  test("keeps operators of one level side by side and nests the tighter ones", () => {
    const { tree, root } = parse("a + b * c - d\n", []);
    const sum = tree.first[tree.first[root]!]!;
    expect(tree.kind[sum]).toBe(Kind.arith_expr);
    expect(tree.childCount(sum)).toBe(5);
    expect(tree.kind[tree.children(sum)[2]!]).toBe(Kind.term);
  });

  test("gives comments before the end of a block to its DEDENT by their indentation", () => {
    const lines = dump("if a:\n    b\n    # inner\n# outer\nc\n");
    expect(lines).toContain('   DEDENT "    # inner\\n" ""');
    expect(lines).toContain('  NAME "# outer\\n" "c"');
  });

  test("gives the comments before a block's first statement to that statement", () => {
    const lines = dump("if a:\n    # first\n    b\n");
    expect(lines).toContain('   INDENT "" ""');
    expect(lines).toContain('    NAME "    # first\\n    " "b"');
  });

  test("keeps only the first continuation of several, as Black's parser does", () => {
    expect(dump("x = 1 + \\\n    \\\n    2\n")).toContain('    NUMBER " \\\\\\n\\n    " "2"');
  });

  test("makes one string of an f-string with nested quotes and format specs", () => {
    const { tree, root } = parse('x = f"{a["k"]!r:>{w}} {{}} \\N{DASH}" f"é"\n', []);
    const strings = tree.leaves(root).filter((leaf) => tree.kind[leaf] === Kind.STRING);
    expect(strings.map((leaf) => tree.text(leaf))).toEqual(['f"{a["k"]!r:>{w}} {{}} \\N{DASH}"', 'f"é"']);
    expect(strings.map((leaf) => tree.textFlags[leaf])).toEqual([
      TextFlag.INTERPOLATED | TextFlag.HOLDS_EXPRESSION,
      TextFlag.INTERPOLATED | TextFlag.NON_ASCII,
    ]);
  });

  test("joins brackets with their mates", () => {
    const { tree, root } = parse("f(a[0], {1: (2)})\n", []);
    for (const leaf of tree.leaves(root)) {
      const mate = tree.mate[leaf]!;
      if (mate !== -1) expect(tree.mate[mate]).toBe(leaf);
    }
    expect(tree.leaves(root).filter((leaf) => tree.mate[leaf] !== -1)).toHaveLength(8);
  });

  test.each([
    ["match = 1\n", Kind.expr_stmt],
    ["match(a)[b]\n", Kind.power],
    ["match (a):\n    case b: c\n", Kind.match_stmt],
    ["match -a:\n    case b: c\n", Kind.match_stmt],
    ["match - a\n", Kind.arith_expr],
    ["match not in a\n", Kind.comparison],
    ["type = 1\n", Kind.expr_stmt],
    ["type X = int\n", Kind.type_stmt],
    ["lazy = 1\n", Kind.expr_stmt],
    ["lazy import a\n", Kind.lazy_import],
  ])("reads %j by its context", (source, kind) => {
    const { tree, root } = parse(source, []);
    const statement = tree.first[root]!;
    expect(tree.kind[statement] === kind ? kind : tree.kind[tree.first[statement]!]).toBe(kind);
  });

  test("takes 1,000 nested brackets and 5,000 chained operators, ternaries and branches", async () => {
    const nested = ["()", "[]", "{}"].map(
      ([open, close]) => `x = ${open!.repeat(1000)}1${close!.repeat(1000)}\n`,
    );
    const chained = ["a + ", "a or ", "not ", "-", "a if b else "].map(
      (part) => `x = ${part.repeat(5000)}1\n`,
    );
    await parseInThread([...nested, ...chained, `if a: b\n${"elif c: d\n".repeat(5000)}`]);
  });
});

/** Parses in a thread with the stack of the command line's: how deep this one's goes depends on what V8 has compiled. */
async function parseInThread(sources: readonly string[]): Promise<void> {
  const code = `
    import { workerData } from "node:worker_threads";
    import { parse } from ${JSON.stringify(new URL("./parse.ts", import.meta.url))};
    for (const source of workerData) parse(source, []);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: sources,
    execArgv: [],
    resourceLimits: { stackSizeMb: THREAD_STACK_MB },
  });
  await once(worker, "exit");
}

describe("leaves", () => {
  test("tile the source", () => {
    const { tree, root } = parse(everyRule, []);
    expect(joined(tree, root)).toBe(everyRule);
  });

  test("tile any source that parses", () => {
    const piece = fc.constantFrom(
      "a",
      "b = 1",
      "f(x)",
      "# c",
      "\n",
      "\n",
      "    ",
      "  ",
      "\t",
      "if a:",
      "else:",
      "def f(a):",
      "pass",
      "'s'",
      '"""t\n"""',
      "f'{a}'",
      "(",
      ")",
      "[",
      "]",
      ",",
      " ",
      "\f",
      ";",
      "match a:",
      "case b:",
      "é",
    );
    const sources = fc.array(piece, { maxLength: 30 }).map((pieces) => `${pieces.join("")}\n`);
    fc.assert(
      fc.property(sources, (source) => {
        let parsed: ReturnType<typeof parse>;
        try {
          parsed = parse(source, []);
        } catch (error) {
          expect((error as Error).name).toBe("ParseError");
          return;
        }
        expect(joined(parsed.tree, parsed.root)).toBe(source);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("features", () => {
  test.each<[string, number]>([
    ["f'{a}'", Feature.F_STRINGS],
    ["f'{a=}'", Feature.F_STRINGS | Feature.DEBUG_F_STRINGS],
    ["t'{a}'", Feature.T_STRINGS],
    ["1_0", Feature.NUMERIC_UNDERSCORES],
    ["f(*a,)", Feature.TRAILING_COMMA_IN_CALL],
    ["f(a,)", 0],
    ["def f(*a,): pass", Feature.TRAILING_COMMA_IN_DEF],
    ["def f(a, /): pass", Feature.POS_ONLY_ARGUMENTS],
    ["(a := 1)", Feature.ASSIGNMENT_EXPRESSIONS],
    ["@a[0]\ndef f(): pass", Feature.RELAXED_DECORATORS],
    ["@a.b(c)\ndef f(): pass", 0],
    ["match a:\n case b: c", Feature.PATTERN_MATCHING],
    ["def f(): return *a, b", Feature.UNPACKING_ON_FLOW],
    ["a: b = c, d", Feature.ANN_ASSIGN_EXTENDED_RHS],
    ["try: a\nexcept* b: c", Feature.EXCEPT_STAR],
    ["try: a\nexcept b, c: d", Feature.UNPARENTHESIZED_EXCEPT_TYPES],
    ["try: a\nexcept b, c as d: e", 0],
    ["a[*b]", Feature.VARIADIC_GENERICS],
    ["def f(*a: *b): pass", Feature.VARIADIC_GENERICS],
    ["with (a as b): c", Feature.PARENTHESIZED_CONTEXT_MANAGERS],
    ["with (a): c", 0],
    ["def f[T](): pass", Feature.TYPE_PARAMS],
    ["def f[T = int](): pass", Feature.TYPE_PARAMS | Feature.TYPE_PARAM_DEFAULTS],
    ["lazy import a", Feature.LAZY_IMPORTS],
    ["[*a for a in b]", Feature.UNPACKING_IN_COMPREHENSIONS],
    ["'doc'\nfrom __future__ import annotations as a", Feature.FUTURE_ANNOTATIONS],
    ["a = 1\nfrom __future__ import annotations", 0],
  ])("of %j", (source, features) => {
    expect(parse(source, []).features).toBe(features);
  });

  test("leave the versions that have them all", () => {
    expect(inferTargetVersions(parse("match a:\n case b: c", []).features)[0]).toBe("py310");
    expect(inferTargetVersions(0)).toHaveLength(13);
  });
});

describe("errors", () => {
  const message = (source: string): string => {
    try {
      parse(source, []);
    } catch (error) {
      return (error as Error).message;
    }
    return "parsed";
  };

  test("name the first token that no rule admits, with line and caret", () => {
    expect(message("a = 1\nprint x\n")).toBe(
      "cannot parse: 2:6\n    print x\n         ^\nParseError: bad input",
    );
  });

  test.each([
    ["x = 'abc", "1:3", "TokenError: Failed to parse: UnterminatedString"],
    ["x = (1,\n", "1:7", "TokenError: Unexpected EOF in multi-line statement"],
    ["if a:\n\tb\n        c", "2:2", "TokenError: Failed to parse: InconsistentUseOfTabsAndSpaces"],
    ["if a:\n    b\n  '''", "3:2", "TokenError: Unexpected EOF in multi-line statement"],
    ["if a:\n    b\n    '''", "3:0", "TokenError: Unexpected EOF in multi-line statement"],
    ["a = 1\n\\x\n", "1:5", "TokenError: Failed to parse: UnexpectedCharacterAfterBackslash"],
    ["a = 1\n  \\x\n", "2:0", "TokenError: Failed to parse: UnexpectedCharacterAfterBackslash"],
    ["(a \\\n", "2:0", "TokenError: Unexpected EOF in multi-line statement"],
    ["class A:\n  a\\\n", "4:0", "ParseError: bad input"],
    ["if a:\n  \\\n\n", "4:0", "ParseError: bad input"],
    ['f"{a{', "1:5", "TokenError: Unexpected EOF in multi-line statement"],
    ["...2", "1:3", "ParseError: bad input"],
    ["  a\nb", "1:0", "ParseError: bad input"],
    ["type import", "1:0", "ParseError: bad input"],
    ["match (x):\ny", "2:0", "ParseError: bad input"],
    ["x = $", "1:4", "ParseError: bad input"],
    ["é = )", "1:4", "ParseError: bad input"],
    [
      `${"[".repeat(1001)}${"]".repeat(1001)}`,
      "1:1000",
      "TokenError: Failed to parse: too many nested brackets",
    ],
  ])("of %j", (source, place, reason) => {
    const found = message(source);
    expect(found.startsWith(`cannot parse: ${place}\n`)).toBe(true);
    expect(found.endsWith(reason)).toBe(true);
  });

  test("name the newest target version, which may not know match", () => {
    expect(() => parse("match a:\n case b: c\n", ["py38", "py37"])).toThrow(
      "cannot parse for target version Python 3.8: 1:6",
    );
  });
});
