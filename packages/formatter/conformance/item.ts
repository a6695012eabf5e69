import type { Mode } from "../src/mode/mode.ts";
import type { Refusal } from "./refusal.ts";

/** One comparison with Black: a source, how to format it, and what Black made of it. */
export interface Item {
  /** Unique within its set: a path or a case's name. */
  readonly name: string;
  readonly mode: Mode;
  /** 1-based, both ends included; empty for the whole source. */
  readonly lineRanges: readonly (readonly [number, number])[];
  readonly isNotebook: boolean;
  /** Reads the texts when the item's turn comes; LF line ends. */
  load(): { readonly bytes: Uint8Array; readonly expected: Answer };
}

/** What a formatter makes of a source: a text, or a refusal. */
export type Answer = { readonly text: string } | { readonly refusal: Refusal };

/** A named list of items that is reported in one line. */
export interface ItemSet {
  readonly name: string;
  readonly items: readonly Item[];
}
