/**
 * Directives and line ranges have left a tree that cannot be formatted: a statement without its end, a bracket without
 * its mate. Black's code ends there with an error of Python's, whose words these are.
 */
export class BrokenTreeError extends Error {
  override readonly name = "BrokenTreeError";
}

/** What Python says where `zip(children, [*children[1:], None], strict=True)` meets a node without children. */
export const EMPTY_NODE = "zip() argument 2 is longer than argument 1";
