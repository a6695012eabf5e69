import { describe, expect, test } from "vitest";
import { parse } from "../parse/parse.ts";
import { Kind } from "../syntax/kinds.ts";
import { containsFmtDirective, FMT_ANY, FMT_OFF, FMT_SKIP } from "./directives.ts";
import { normalizeFormatOff } from "./fmt-off/normalize.ts";
import { generateComments } from "./generate-comments.ts";
import { listComments, textsFromEnd } from "./list-comments.ts";
import { makeComment } from "./make-comment.ts";

test.each([
  ["#a", "# a"],
  ["#", "#"],
  ["#!shebang", "#!shebang"],
  ["#: doc", "#: doc"],
  ["#  two ", "#  two"],
  ["#\u00a0nbsp", "# nbsp"],
  ["#type:int", "# type: int"],
  ["#x # fmt:skip", "#x # fmt:skip"],
])("makeComment prints %j as %j", (source, printed) => {
  expect(makeComment(source)).toBe(printed);
});

test.each([
  ["# fmt: off", true],
  ["# pylint # fmt:skip", true],
  ["# noqa; fmt: on", true],
  ["# fmt: offline", false],
])("containsFmtDirective(%j)", (comment, expected) => {
  expect(containsFmtDirective(comment, FMT_ANY)).toBe(expected);
});

test("directives are told apart", () => {
  expect(containsFmtDirective("# fmt: off", FMT_SKIP)).toBe(false);
  expect(containsFmtDirective("# yapf: disable", FMT_OFF)).toBe(true);
});

describe("listComments", () => {
  test.each(["", "\n", "# a", "\n\n# a\n# b", "  # fmt: on\n\\\n\t#!b  \n", "#\n\f\n#:a\r\n "])(
    "finds in %j the texts that a search from the end finds",
    (prefix) => {
      const texts = listComments(prefix, false).map(({ value }) => value);
      expect([...textsFromEnd(prefix)]).toEqual(texts.toReversed());
    },
  );

  test("tells comments behind code from those on lines of their own", () => {
    const found = listComments("  # a\n\n\n    # b\n", false);
    expect(found.map(({ kind, value, newlines, consumed }) => [kind, value, newlines, consumed])).toEqual([
      [Kind.COMMENT, "# a", 0, 6],
      [Kind.STANDALONE_COMMENT, "# b", 2, 16],
    ]);
  });

  test("takes a comment behind a continuation for one behind code", () => {
    expect(listComments(" \\\n  # a\n", false)[0]!.kind).toBe(Kind.COMMENT);
  });

  test("finds none behind code at the end of the file", () => {
    expect(listComments("# a\n", true)[0]!.kind).toBe(Kind.STANDALONE_COMMENT);
  });
});

test("generateComments leaves only the line breaks behind the last comment", () => {
  const { tree, root } = parse("a\n\n# one\n\f\n# two\n\n\nb\n", []);
  const leaf = tree.leaves(root).find((id) => tree.text(id) === "b")!;
  const comments = generateComments(tree, leaf);
  expect(comments.map((id) => [tree.text(id), tree.prefix(id)])).toEqual([
    ["# one", "\n"],
    ["# two", "\f\n"],
  ]);
  expect(tree.prefix(leaf)).toBe("\n\n");
});

describe("normalizeFormatOff keeps as it is", () => {
  const kept = (source: string): string[] => {
    const { tree, root } = parse(source, []);
    normalizeFormatOff(tree, root);
    return tree
      .leaves(root)
      .filter((leaf) => tree.kind[leaf] === Kind.STANDALONE_COMMENT)
      .map((leaf) => tree.text(leaf));
  };

  test("statements between off and on", () => {
    expect(kept("a\n# fmt: off\nb  =  1\nc  =  2\n# fmt: on\nd\n")).toEqual(["# fmt: off\nb  =  1\nc  =  2"]);
  });

  test("elements within brackets", () => {
    expect(kept("x = [\n    # fmt: off\n    1,2,\n    # fmt: on\n    3\n]\n")).toEqual([
      "# fmt: off\n    1,2,",
    ]);
  });

  test("comments alone between off and on", () => {
    expect(kept("# fmt: off\n#x\n# fmt: on\na\n")).toEqual(["# fmt: off\n#x\n# fmt: on"]);
  });

  test("the line before skip", () => {
    expect(kept("a  =  1  # fmt: skip\nb\n")).toEqual(["a  =  1  # fmt: skip"]);
  });

  test("the head of a block before skip", () => {
    expect(kept("if  a :  # fmt: skip\n    b\n")).toEqual(["if  a :  # fmt: skip"]);
  });

  test("no more than the f-string that a tuple starts with", () => {
    expect(kept("(f'',#fmt: skip\n 1)\n")).toEqual(["f'',#fmt: skip"]);
    expect(kept("[\n    #fmt: skip\n f'',]\n")).toEqual([]);
  });

  test("a whole statement when skip stands within its brackets", () => {
    expect(kept("from a import (  # fmt: skip\n    b,\n  c)\n")).toHaveLength(1);
  });
});
