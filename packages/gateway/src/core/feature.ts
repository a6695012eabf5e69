import type { Route } from "../contract/exchange.ts";
import type { GroupDescription } from "../contract/operation.ts";
import type { Chore } from "../platform/queue/housekeeping.ts";

/** What a feature hands over when it has opened itself. */
export interface Feature {
  readonly routes: readonly Route[];
  /** What `/openapi.json` says about the routes. */
  readonly descriptions: readonly GroupDescription[];
  /** Sweeps, which one replica at a time does every ten minutes. */
  readonly chores?: Readonly<Record<string, Chore>>;
  /** Gives running work back to the queue. */
  stop?(): Promise<void>;
  /** Resolves when everything is written down; called when nothing runs any more. */
  close?(): Promise<void>;
}
