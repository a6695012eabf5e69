import type { Tree } from "../../syntax/tree.ts";
import type { AstSink } from "./ast-sink.ts";

/** What the lowering of strings needs of the lowering around it. */
export interface LoweringContext {
  readonly tree: Tree;
  readonly sink: AstSink;
  /** Tells the sink a leaf or a node and what is below it. */
  lower(id: number): void;
}
