import type { Inspection } from "./inspect.ts";
import type { PageState } from "./page-state.ts";

/** What the page asks its worker. */
export interface Question {
  readonly id: number;
  readonly state: PageState;
}

/** The worker's answer: what came of it, or why nothing did, for people. */
export type Answer = { readonly id: number } & (
  | { readonly inspection: Inspection }
  | { readonly failure: string }
);
