import type { Flavour } from "./flavour.ts";

/** What a model call needs beside its body. */
export interface CallOptions {
  readonly flavour: Flavour;
  /** Text of the request, which ids follow from. */
  readonly seed: string;
  /** Length of the answer in tokens, set by a header or a rule. */
  readonly tokens?: number | undefined;
  /** False for a response that only begins a conversation (`generate: false` over a WebSocket). */
  readonly generates?: boolean;
}
