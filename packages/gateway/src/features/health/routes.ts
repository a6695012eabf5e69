import { checkQuery } from "../../contract/check.ts";
import type { Deployment } from "../../contract/deployment.ts";
import { notFound } from "../../contract/errors.ts";
import type { Access, Handler, Route } from "../../contract/exchange.ts";
import { mayUseDeployment } from "../../core/auth/deployment-permission.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import type { HealthBook } from "../../core/routing/health.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Platform } from "../../platform/open-platform.ts";
import type { Store } from "../../platform/store/schema.ts";
import { VERSION } from "../../util/version.ts";
import { healthDescription, healthQuery } from "./schema.ts";

/** Whether the process lives, whether it can serve, and which deployments are in use. No model is called. */
export function openHealth({ calls, metrics }: Core, { config, store }: Platform): Feature {
  const get = (path: string, access: Access, handler: Handler): Route => ({
    method: "GET",
    path,
    access,
    family: "openai",
    callType: "health",
    handler,
  });
  const alive: Handler = async () => ({ status: 200, body: `"I'm alive!"`, headers: json });
  const readiness = readinessHandler(store);
  const routes = [
    get("/health/liveliness", "public", alive),
    get("/health/liveness", "public", alive),
    get("/health/readiness", "public", readiness),
    get("/health", "key", deploymentsHandler(config, calls.health)),
    metricsRoute(metrics, config.current.generalSettings.publicMetrics),
  ];
  return { routes, descriptions: [healthDescription] };
}

const json = { "content-type": "application/json" };

/** 503 while the store does not answer, because keys could not be checked. */
function readinessHandler(store: Store | undefined): Handler {
  return async () => {
    if (store === undefined)
      return { status: 200, body: { status: "healthy", db: "Not connected", portico_version: VERSION } };
    const connected = await store.isAlive();
    return {
      status: connected ? 200 : 503,
      body: {
        status: connected ? "healthy" : "unhealthy",
        db: connected ? "connected" : "disconnected",
        portico_version: VERSION,
      },
    };
  };
}

/** Which of the deployments that the key may use the router uses at the moment, judged by their calls. */
function deploymentsHandler(config: ConfigSource, health: HealthBook): Handler {
  return async ({ principal, query }) => {
    const current = config.current;
    const wanted = checkQuery(healthQuery, query);
    const deployments = current.deployments.filter(
      (one) => isWanted(one, wanted) && mayUseDeployment(principal, one, current),
    );
    if (deployments.length === 0 && (wanted.model ?? wanted.model_id) !== undefined)
      throw notFound("There is no such deployment among those that this key may use");
    const cooling = deployments.filter(({ id }) => health.state(id).cooldownMs > 0);
    const healthy = deployments.filter((deployment) => !cooling.includes(deployment));
    return {
      status: 200,
      body: {
        healthy_endpoints: healthy.map((one) => describe(one, health)),
        unhealthy_endpoints: cooling.map((one) => describe(one, health)),
        healthy_count: healthy.length,
        unhealthy_count: cooling.length,
      },
    };
  };
}

function isWanted(
  { id, modelName, provider, model }: Deployment,
  {
    model: name,
    model_id: wantedId,
  }: { readonly model?: string | undefined; readonly model_id?: string | undefined },
): boolean {
  if (wantedId !== undefined && id !== wantedId) return false;
  return name === undefined || [modelName, model, `${provider}/${model}`].includes(name);
}

function describe({ id, modelName, provider, model }: Deployment, health: HealthBook): object {
  const { latencyMs, cooldownMs } = health.state(id);
  return {
    model: `${provider}/${model}`,
    model_name: modelName,
    model_id: id,
    ...(latencyMs === undefined ? {} : { latency_ms: Math.round(latencyMs) }),
    ...(cooldownMs > 0 ? { cooldown_seconds: Math.ceil(cooldownMs / 1000) } : {}),
  };
}

/**
 * What Prometheus asks for.
 * @param metrics absent where the configuration wants none
 * @param isPublic whether it may be asked for without a key; else administrators alone may
 */
function metricsRoute(metrics: Metrics | undefined, isPublic: boolean): Route {
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
