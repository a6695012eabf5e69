import type { Deployment } from "../../contract/deployment.ts";
import type { Access, Handler, Route } from "../../contract/exchange.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import { VERSION } from "../../util/version.ts";

/** What the health endpoints ask about. */
export interface HealthSources {
  readonly config: ConfigSource;
  /** Whether the store answers; `undefined` when the gateway runs without one. */
  readonly checkStore: (() => Promise<boolean>) | undefined;
  /** Whether a deployment rests after failures. */
  readonly isResting: (deployment: Deployment) => boolean;
}

/** Whether the process lives, whether it can serve, and which deployments are in use. No model is called. */
export function healthRoutes(sources: HealthSources): Route[] {
  const get = (path: string, access: Access, handler: Handler): Route => ({
    method: "GET",
    path,
    access,
    family: "openai",
    callType: "health",
    handler,
  });
  const alive: Handler = async () => ({ status: 200, body: `"I'm alive!"`, headers: json });
  const readiness = readinessHandler(sources);
  return [
    get("/health/liveliness", "public", alive),
    get("/health/liveness", "public", alive),
    get("/health/readiness", "public", readiness),
    get("/health", "key", deploymentsHandler(sources)),
  ];
}

const json = { "content-type": "application/json" };

/** 503 while the store does not answer, because keys could not be checked. */
function readinessHandler({ checkStore }: HealthSources): Handler {
  return async () => {
    if (checkStore === undefined)
      return { status: 200, body: { status: "healthy", db: "Not connected", portico_version: VERSION } };
    const connected = await checkStore();
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

/** Which deployments the router uses at the moment, judged by their calls. */
function deploymentsHandler({ config, isResting }: HealthSources): Handler {
  return async () => {
    const { deployments } = config.current();
    const resting = deployments.filter(isResting);
    const healthy = deployments.filter((deployment) => !resting.includes(deployment));
    return {
      status: 200,
      body: {
        healthy_endpoints: healthy.map(describe),
        unhealthy_endpoints: resting.map(describe),
        healthy_count: healthy.length,
        unhealthy_count: resting.length,
      },
    };
  };
}

function describe({ id, modelName, provider, model }: Deployment): object {
  return { model: `${provider}/${model}`, model_name: modelName, model_id: id };
}
