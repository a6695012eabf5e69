import type { Tree } from "../../syntax/tree.ts";
import type { AstSink } from "./ast-sink.ts";

/** What the lowering of strings needs of the lowering around it. */
export interface LoweringContext {
  readonly tree: Tree;
  readonly sink: AstSink;
  /** Tells the sink the expression of a replacement field. */
  expression(source: string): void;
}
