import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Kind } from "../syntax/kinds.ts";
import { isOneSequenceBetween } from "../syntax/predicates/brackets.ts";
import { NONE, Tree } from "../syntax/tree.ts";
import { BracketTracker } from "./brackets.ts";
import { Priority } from "./delimiters.ts";
import { leavesInsideMatchingBrackets } from "./matching-brackets.ts";

const kinds: Readonly<Record<string, number>> = {
  "(": Kind.LPAR,
  ")": Kind.RPAR,
  "[": Kind.LSQB,
  "]": Kind.RSQB,
  ",": Kind.COMMA,
  ":": Kind.COLON,
  for: Kind.KW_FOR,
  in: Kind.KW_IN,
  lambda: Kind.KW_LAMBDA,
};

/** Leaves for space-separated tokens, below one node. */
function leavesOf(tokens: string, parent: number = Kind.atom): { tree: Tree; leaves: number[] } {
  const tree = new Tree("", 16);
  const node = tree.addNode(parent);
  const leaves = tokens.split(" ").map((text) => {
    const leaf = tree.makeLeaf(kinds[text] ?? Kind.NAME, text);
    tree.append(node, leaf);
    return leaf;
  });
  return { tree, leaves };
}

function track(tokens: string): { tree: Tree; leaves: number[]; tracker: BracketTracker } {
  const { tree, leaves } = leavesOf(tokens);
  const tracker = new BracketTracker(tree);
  for (const leaf of leaves) tracker.mark(leaf);
  return { tree, leaves, tracker };
}

describe("one element in brackets", () => {
  const item = fc.constantFrom("a", ",", "lambda a , b : c", "for a , b in c");
  const { content } = fc.letrec<{ content: string }>((tie) => ({
    content: fc
      .array(
        fc.oneof(
          { depthSize: "small" },
          item,
          tie("content").map((inner) => `( ${inner} )`),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts) => parts.join(" ")),
  }));

  it("is counted while leaves are added as it is by looking through them", () => {
    const parents = fc.constantFrom(Kind.atom, Kind.arglist, Kind.typedargslist);
    fc.assert(
      fc.property(content, parents, (inner, parent) => {
        const { tree, leaves } = leavesOf(`( ${inner} )`, parent);
        const tracker = new BracketTracker(tree);
        leaves.forEach((leaf, index) => {
          tracker.mark(leaf);
          if (tree.kind[leaf] !== Kind.RPAR) return;
          const looked = isOneSequenceBetween(tree, tree.mate[leaf]!, leaf, leaves, index);
          expect(tracker.closedOneElement).toBe(looked);
        });
      }),
    );
  });

  it("is not known of brackets that were opened on another line", () => {
    expect(track("( a ) )").tracker.closedOneElement).toBe(false);
  });
});

describe("bracket tracking", () => {
  it("gives each leaf its depth and joins the brackets of a pair", () => {
    const { tree, leaves } = track("f ( a , [ b ] )");
    expect(leaves.map((leaf) => tree.depth[leaf])).toEqual([0, 0, 1, 1, 1, 2, 1, 0]);
    expect(tree.mate[leaves[7]!]).toBe(leaves[1]);
    expect(tree.mate[leaves[4]!]).toBe(leaves[6]);
  });

  it("counts commas outside brackets only", () => {
    const { tracker, leaves } = track("a , ( b , c ) , d ,");
    expect(tracker.maxDelimiterPriority()).toBe(Priority.COMMA);
    expect(tracker.delimiterCountWithPriority(Priority.COMMA)).toBe(3);
    expect(tracker.priorityOf(leaves[1]!)).toBe(Priority.COMMA);
    expect(tracker.priorityOf(leaves[4]!)).toBe(0);
  });

  it("leaves a delimiter out of the highest priority when asked to", () => {
    const { tracker, leaves } = track("a ,");
    expect(tracker.maxDelimiterPriority(leaves[1])).toBe(0);
  });

  it("does not take the commas of loop variables and lambda arguments for delimiters", () => {
    expect(track("for a , b in c").tracker.maxDelimiterPriority()).toBe(0);
    expect(track("lambda a , b : c").tracker.maxDelimiterPriority()).toBe(0);
    expect(track("lambda a , b").tracker.anyOpenForOrLambda()).toBe(true);
  });

  it("finds the innermost open square bracket", () => {
    const { tracker, leaves } = track("a [ b");
    expect(tracker.openSquareBracket()).toBe(leaves[1]);
    expect(track("a [ b ( c").tracker.openSquareBracket()).toBe(NONE);
  });

  it("passes over a closing bracket whose opening bracket is on an earlier line", () => {
    const { tracker } = track(") , a");
    expect(tracker.depth).toBe(0);
    expect(tracker.maxDelimiterPriority()).toBe(Priority.COMMA);
  });

  it("rejects brackets that do not match", () => {
    expect(() => track("( ]")).toThrow(
      "Unable to match a closing bracket to the following opening bracket: ]",
    );
  });
});

describe("leaves inside matching brackets", () => {
  it("keeps complete pairs and nothing else", () => {
    const { tree, leaves } = leavesOf(") a ( b [ c ] d ) e ( f");
    expect([...leavesInsideMatchingBrackets(tree, leaves).subarray(0, leaves.length)]).toEqual([
      0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0,
    ]);
  });

  it("stops at a bracket that does not match", () => {
    const { tree, leaves } = leavesOf("( a ) ( ] ( b )");
    expect([...leavesInsideMatchingBrackets(tree, leaves).subarray(0, leaves.length)]).toEqual([
      1, 1, 1, 0, 0, 0, 0, 0,
    ]);
  });
});
