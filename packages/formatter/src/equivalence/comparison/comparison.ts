import { NONE, type Tree } from "../../syntax/tree.ts";
import { HashSink } from "../lowering/ast-sink.ts";
import { Lowering } from "../lowering/lower.ts";
import { checkRules } from "../python-syntax/check-source.ts";
import { isSameSubtree } from "./same-subtree.ts";
import { firstStatement, isBlock, isCompound, nextStatement } from "./statements.ts";

/**
 * Compares what two sources mean, statement by statement. Most statements of an output stand in the source as they
 * are or laid out differently, and are valid as these are; only the others are lowered to Python's syntax tree and
 * checked by its rules.
 */
export class Comparison {
  readonly #left: Tree;
  readonly #right: Tree;
  /** Blocks that remain to be compared: one of the left tree and one of the right in turn. */
  readonly #blocks: number[] = [];

  /** @param left,right trees as they were parsed, the left one of valid Python. */
  constructor(left: Tree, right: Tree) {
    this.#left = left;
    this.#right = right;
  }

  /**
   * Whether two files mean the same.
   *
   * @throws {SourceSyntaxError} where the right one is no valid Python
   */
  isSame(leftRoot: number, rightRoot: number): boolean {
    const blocks = this.#blocks;
    blocks.push(leftRoot, rightRoot);
    while (blocks.length > 0) {
      const right = blocks.pop()!;
      if (!this.#isSameBlock(blocks.pop()!, right)) return false;
    }
    return true;
  }

  #isSameBlock(left: number, right: number): boolean {
    let a = firstStatement(this.#left, left);
    let b = firstStatement(this.#right, right);
    while (a !== NONE && b !== NONE) {
      if (!this.#isSameStatement(a, b)) return false;
      a = nextStatement(this.#left, left, a);
      b = nextStatement(this.#right, right, b);
    }
    return a === b;
  }

  #isSameStatement(a: number, b: number): boolean {
    const known = this.#blocks.length;
    if (isCompound(this.#left.kind[a]!) ? this.#hasSameParts(a, b) : this.#isSamePart(a, b)) return true;
    this.#blocks.length = known;
    return this.#isSameLowered(a, b);
  }

  /** Whether two compound statements are the same but for their blocks, which are compared later. */
  #hasSameParts(a: number, b: number): boolean {
    const left = this.#left;
    const right = this.#right;
    if (left.kind[a] !== right.kind[b]) return false;
    let x = left.first[a]!;
    let y = right.first[b]!;
    for (; x !== NONE && y !== NONE; x = left.next[x]!, y = right.next[y]!) {
      const kind = left.kind[x]!;
      if (isBlock(kind)) {
        if (!isBlock(right.kind[y]!)) return false;
        this.#blocks.push(x, y);
      } else if (isCompound(kind) ? !this.#hasSameParts(x, y) : !this.#isSamePart(x, y)) return false;
    }
    return x === y;
  }

  #isSamePart(a: number, b: number): boolean {
    return isSameSubtree(this.#left, a, this.#right, b);
  }

  #isSameLowered(a: number, b: number): boolean {
    checkRules(this.#right, b, true);
    const [before, after] = [new HashSink(), new HashSink()];
    const [left, right]: [number[], number[]] = [[], []];
    new Lowering(this.#left, before, left).statement(a);
    new Lowering(this.#right, after, right).statement(b);
    if (!before.equals(after) || left.length !== right.length) return false;
    for (const [index, block] of left.entries()) this.#blocks.push(block, right[index]!);
    return true;
  }
}
