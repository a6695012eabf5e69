import type { CallDeps } from "../call/model-call.ts";
import type { Ownership } from "./ownership.ts";

/** What the groups of provider resources (files, batches, containers, videos, responses) need of the gateway. */
export type ResourceDeps = Pick<
  CallDeps,
  "config" | "upstream" | "limiter" | "ledger" | "hooks" | "findProvider" | "scopes"
> & {
  readonly ownership: Ownership;
};
