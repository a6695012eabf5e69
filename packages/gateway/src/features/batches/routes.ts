import { type Exchange, keyRoute, type Reply, type Route } from "../../contract/exchange.ts";
import { readLiteLlmId } from "../../core/objects/litellm-id.ts";
import type { Ownership } from "../../core/objects/ownership.ts";
import { webhookSecretOf } from "../../platform/transport/signed-webhook.ts";
import type { BatchRouteDeps } from "./batch-deps.ts";
import { BatchOperations } from "./batch-operations.ts";

const bases = ["/:provider/v1/batches", "/v1/batches", "/batches"];

/** Batches (spec: Batches; OpenAI API reference: Batch) in the three path forms; ids may contain slashes. */
export function batchRoutes(deps: BatchRouteDeps): Route[] {
  const operations = new BatchOperations(deps);
  const behindId =
    (suffix: string, handler: Route["handler"], other: Route["handler"]): Route["handler"] =>
    (exchange) =>
      isSuffix(exchange.path, suffix) ? handler(exchange) : other(exchange);
  const events = (exchange: Exchange): Promise<Reply> => operations.events(exchange);
  const retrieve = (exchange: Exchange): Promise<Reply> => operations.retrieve(exchange);
  return bases.flatMap((base) => [
    keyRoute("POST", base, "acreate_batch", (exchange) => operations.create(exchange)),
    keyRoute("GET", base, "alist_batches", (exchange) => operations.list(exchange)),
    keyRoute("GET", `${base}/*`, "aretrieve_batch", behindId("/events", events, retrieve)),
    keyRoute("POST", `${base}/*`, "acancel_batch", (exchange) => operations.cancel(exchange)),
  ]);
}

/** Ids may contain slashes, and end as a suffix does: it is one behind an id that is a batch's own. */
function isSuffix(path: string, suffix: string): boolean {
  if (!path.endsWith(suffix)) return false;
  const id = path.slice(path.indexOf("/batches/") + "/batches/".length, -suffix.length);
  return id.startsWith("batch_") || readLiteLlmId(id)?.kind === "batch";
}

/** The secret with which a caller checks the signatures of its webhooks. */
export function webhookSecretRoute(secret: string | undefined, ownership: Ownership): Route[] {
  if (secret === undefined) return [];
  const handler = async ({ principal }: Exchange): Promise<Reply> => ({
    status: 200,
    body: { secret: webhookSecretOf(secret, ownership.tenantOf(principal)) },
  });
  return [keyRoute("GET", "/v1/webhook_secret", "webhook_secret", handler)];
}
