import type { Route } from "../../contract/exchange.ts";
import { Journal } from "../../platform/journal/journal.ts";
import { JournalStore } from "../../platform/journal/journal-store.ts";
import type { Store } from "../../platform/store/schema.ts";
import { IdempotencyStore } from "./idempotency-store.ts";
import { type IdempotencyDeps, IdempotentAnswers } from "./idempotent-answers.ts";

/** Everything that makes something, or costs something. */
const creates: ReadonlySet<string> = new Set([
  "acompletion",
  "anthropic_messages",
  "aresponses",
  "agenerate_content",
  "agenerate_content_stream",
  "acreate_batch",
  "acreate_container",
  "avideo_generation",
  "avideo_remix",
]);

/** The mechanism on a store; absent without one. */
export function openIdempotency(
  store: Store | undefined,
  deps: Pick<IdempotencyDeps, "tenantOf" | "count" | "logger">,
): IdempotentAnswers | undefined {
  if (store === undefined) return undefined;
  const journal = new Journal(new JournalStore(store));
  return new IdempotentAnswers({ ...deps, store: new IdempotencyStore(store), journal });
}

/** The routes, every create among them with a handler that is asked once for each `Idempotency-Key`. */
export function idempotentRoutes(routes: readonly Route[], answers: IdempotentAnswers | undefined): Route[] {
  return routes.map((route) =>
    answers !== undefined && route.method === "POST" && creates.has(route.callType)
      ? { ...route, onceHandler: answers.wrap(route.handler) }
      : route,
  );
}
