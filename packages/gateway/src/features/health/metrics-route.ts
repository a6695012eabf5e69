import { notFound } from "../../contract/errors.ts";
import type { Access, Route } from "../../contract/exchange.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";

/**
 * What Prometheus asks for.
 * @param metrics absent where the configuration wants none
 * @param isPublic whether it may be asked for without a key; else administrators alone may
 */
export function metricsRoute(metrics: Metrics | undefined, isPublic: boolean): Route {
  const access: Access = isPublic ? "public" : "admin";
  return {
    method: "GET",
    path: "/metrics",
    access,
    family: "openai",
    callType: "metrics",
    handler: async () => {
      if (metrics === undefined)
        throw notFound('There are no metrics: set gateway_settings.callbacks: ["prometheus"]');
      return {
        status: 200,
        headers: { "content-type": metrics.contentType },
        body: Buffer.from(await metrics.text()),
      };
    },
  };
}
