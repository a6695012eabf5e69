import { describe, expect, it } from "vitest";
import { type FormatOptions, format } from "../../index.ts";
import { parse } from "../../parse/parse.ts";
import { kindName } from "../../syntax/kind-names.ts";
import { FIRST_NODE } from "../../syntax/kinds.ts";
import { visitors } from "./dispatch.ts";

/** Statements that together have every node with a rule of its own. */
const statements: readonly string[] = [
  "x = 1\n",
  "x: int = (1)\n",
  "x, y = (a)\n",
  "x += not a\n",
  "x = a if b else c\n",
  "x = 1 .real + -2**8\n",
  "x = {'a': b, **c}\n",
  "x = {i: [j] for (i) in (a)}\n",
  "x = await (a)\n",
  "a | b; c + d\n",
  "del (a), b\n",
  "return (a)\n",
  "yield a, b\n",
  "x = yield (a)\n",
  "assert (a), (b)\n",
  "raise (a) from (b)\n",
  "import a, b as c\n",
  "from a import (b, c)\n",
  "global a\n",
  "type X = int\n",
  "if (a):\n    b\nelif (c):\n    d\nelse:\n    e\n",
  "while (a):\n    b\nelse:\n    c\n",
  "for (a) in (b):\n    c\nelse:\n    d\n",
  "try:\n    a\nexcept (b) as c:\n    d\nelse:\n    e\nfinally:\n    f\n",
  'with open("c") as d:\n    print( d )\n',
  "with a as b, c as (d):\n    e\n",
  "with (a as b, c):\n    d\n",
  "async def f():\n    async with a, b:\n        c\n    async for d in (e):\n        f\n",
  "def f(a: (int), *b) -> (c):\n    return (d)\n",
  "class A():\n    def f(self): ...\n",
  "@a\n@b\ndef f():\n    pass\n",
  "@a\nasync def f():\n    pass\n",
  "match (a):\n    case (b) if (c):\n        d\n    case [e, *f]:\n        g\n",
  "print(*[a], **{b})\n",
  "f((a for a in b))\n",
  "x = [(a)]\n",
];

/** What may stand before a statement and must not change what becomes of it. */
const prologues: readonly string[] = [
  "# c\n",
  "# fmt: off\n# fmt: on\n",
  "# fmt: off\n# TABLE = [1,  2]\n# fmt: on\n",
  "# yapf: disable\n# yapf: enable\n",
  "# fmt: off\nx  = 1\n# fmt: on\n",
];

const modes: readonly FormatOptions[] = [
  {},
  { targetVersions: ["py39", "py314"] },
  { targetVersions: ["py314"] },
  { preview: true },
  { unstable: true, preview: true, targetVersions: ["py310"] },
];

/** The text without white space and parentheses: Black leaves the latter alone where a directive stands before them. */
function words(text: string): string {
  return text.replace(/[\s()]/g, "");
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "    ");

describe.each(modes)("In mode %j", (options) => {
  it.each(prologues)("%j leaves every word of the statement behind it", (prologue) => {
    for (const statement of statements) {
      // Behind a pair of directives Black visits the comment in place of `async` and drops the statement
      // (`linegen.py` visit_async_stmt), so that its safety check refuses the file, as ours does.
      if (prologue !== "# c\n" && statement.startsWith("async")) continue;
      const alone = format(statement, options);
      expect(words(format(prologue + statement, options)), statement).toEqual(words(prologue + alone));
      const within = format(`while x:\n${indented(prologue + statement)}`, options);
      expect(words(within), statement).toEqual(words(`while x:\n${indented(prologue + alone)}`));
    }
  });
});

it("every node with a rule of its own occurs in a statement", () => {
  const seen = new Set<number>();
  for (const statement of statements) {
    const { tree, root } = parse(statement, []);
    const collect = (node: number): void => {
      seen.add(tree.kind[node]!);
      for (const child of tree.children(node)) collect(child);
    };
    collect(root);
  }
  const missing = [visitors.control, visitors.prepare].flatMap((table) =>
    table.flatMap((rule, kind) =>
      rule !== undefined && kind >= FIRST_NODE && !seen.has(kind) ? [kindName(kind)] : [],
    ),
  );
  expect(missing).toEqual([]);
});
