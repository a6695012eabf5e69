import { type Handler, keyRoute, type Route } from "../../../contract/exchange.ts";
import type { BatchRouteDeps } from "../batch-deps.ts";
import { MessageBatchOperations } from "./message-batch-operations.ts";

const bases = ["/v1/messages/batches", "/anthropic/v1/messages/batches"];

/** Anthropic's message batches (Anthropic API reference: Message Batches), under the prefixes of messages. */
export function messageBatchRoutes(deps: BatchRouteDeps): Route[] {
  const operations = new MessageBatchOperations(deps);
  return bases.flatMap((base) => {
    const one = `${base}/:batchId`;
    return [
      route("POST", base, "acreate_batch", (exchange) => operations.create(exchange)),
      route("GET", base, "alist_batches", (exchange) => operations.list(exchange)),
      route("GET", one, "aretrieve_batch", (exchange) => operations.retrieve(exchange)),
      route("DELETE", one, "adelete_batch", (exchange) => operations.delete(exchange)),
      route("POST", `${one}/cancel`, "acancel_batch", (exchange) => operations.cancel(exchange)),
      route("GET", `${one}/results`, "abatch_results", (exchange) => operations.results(exchange)),
    ];
  });
}

function route(method: Route["method"], path: string, callType: string, handler: Handler): Route {
  return keyRoute(method, path, callType, handler, "anthropic");
}
