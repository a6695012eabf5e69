import { GatewayError } from "../../contract/errors.ts";
import type { Exchange, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import type { StoredAnswers } from "../../core/cache/answer-cache.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { cacheDescription, deleteBody } from "./schema.ts";

/** LiteLLM's `/cache/ping`, `/cache/delete` and `/cache/flushall`. */
export function openCacheManagement({ cache }: Core): Feature {
  const answers = (): StoredAnswers => {
    if (cache.current === undefined)
      throw unavailable("Cache not initialized: set litellm_settings.cache to true.");
    return cache.current;
  };
  const route = (
    method: Route["method"],
    path: string,
    run: (answers: () => StoredAnswers, exchange: Exchange) => Promise<JsonObject>,
  ): Route => ({
    method,
    path,
    access: "admin",
    family: "openai",
    callType: "cache_management",
    handler: async (exchange) => ({ status: 200, body: await run(answers, exchange) }),
  });
  const routes = [
    route("GET", "/cache/ping", (current) => ping(current())),
    route("POST", "/cache/delete", async (current, exchange) => {
      const { keys } = await parseJsonBody(exchange, deleteBody);
      await answered(current().entries.delete(keys));
      return { status: "success" };
    }),
    route("POST", "/cache/flushall", async (current) => {
      await answered(current().entries.clear());
      return { status: "success" };
    }),
  ];
  return { routes, descriptions: [cacheDescription] };
}

async function ping({ entries, settings }: StoredAnswers): Promise<JsonObject> {
  await answered(entries.ping());
  const { type, namespace, ttl, scope, isOptIn, formats } = settings;
  const params = {
    type,
    namespace,
    ttl,
    scope,
    mode: isOptIn ? "default_off" : "default_on",
    formats: [...formats],
  };
  return {
    status: "healthy",
    cache_type: type,
    ping_response: true,
    set_cache_response: "success",
    litellm_cache_params: JSON.stringify(params),
    health_check_cache_params: { namespace },
  };
}

async function answered(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    throw unavailable("The response cache does not answer.", cause);
  }
}

function unavailable(text: string, cause?: unknown): GatewayError {
  return new GatewayError(503, "api_error", text, { retryable: false, cause });
}
