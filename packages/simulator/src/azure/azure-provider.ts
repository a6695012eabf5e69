import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Provider } from "../http/provider.ts";
import { type Route, type RouteMatch, RouteTable } from "../http/route.ts";
import { OpenAiAccount } from "../openai/account.ts";
import { openAiErrorEvent } from "../openai/error-event.ts";
import { accountRoutes } from "../openai/routes.ts";
import { stringOf } from "../util/json.ts";
import { azureErrorEnvelope } from "./azure-error-envelope.ts";

/** Operations that Azure offers below a deployment; the rest belong to the resource. */
const deploymentPaths = ["/chat/completions", "/embeddings"];

/**
 * Azure OpenAI, at `/azure/openai`: the OpenAI operations below `/deployments/{deployment}` and beside it with
 * an `api-version`, and below `/v1` without one.
 */
export function azureProvider(): Provider {
  const account = new OpenAiAccount();
  const table = new RouteTable(accountRoutes(account, "azure"));
  return {
    prefix: "/azure",
    requestIdPrefix: "",
    find: (exchange) => findAzureRoute(table, exchange),
    authenticate: checkApiKey,
    headers: (exchange) => ({
      "x-request-id": exchange.requestId,
      "apim-request-id": exchange.requestId,
      "x-ms-region": "Simulated Region",
      "x-ratelimit-remaining-requests": "9999",
      "x-ratelimit-remaining-tokens": "1999000",
    }),
    errorBody: azureErrorEnvelope,
    errorEvent: openAiErrorEvent,
    reset: () => account.reset(),
  };
}

function findAzureRoute(table: RouteTable, exchange: Exchange): RouteMatch | undefined {
  const path = /^\/openai(\/.*)$/.exec(exchange.path)?.[1];
  if (path === undefined) throw resourceNotFound();
  if (path.startsWith("/v1/")) return table.find(exchange.method, path.slice(3));
  checkApiVersion(exchange.query.get("api-version"));
  const deployed = /^\/deployments\/([^/]+)(\/.*)$/.exec(path);
  if (deployed === null) {
    if (deploymentPaths.includes(path)) throw resourceNotFound();
    return table.find(exchange.method, path);
  }
  const deployment = decodeURIComponent(deployed[1] ?? "");
  const match = table.find(exchange.method, deployed[2] ?? "");
  if (match === undefined) return undefined;
  if (deployment.startsWith("unknown")) throw deploymentNotFound();
  return { route: onDeployment(match.route, deployment), params: { ...match.params, deployment } };
}

// The deployment in the path decides; a model in the body is ignored, as Azure ignores it.
function onDeployment(route: Route, deployment: string): Route {
  return {
    ...route,
    handle: (exchange) => {
      exchange.body = { ...exchange.body, model: deployment };
      return route.handle(exchange);
    },
  };
}

function checkApiVersion(version: string | null): void {
  if (version === null || version === "") throw resourceNotFound();
  const known =
    /^\d{4}-\d{2}-\d{2}(-preview)?$/.test(version) || version === "preview" || version === "latest";
  if (!known) throw new ApiFailure(400, "API version not supported", { code: "BadRequest" });
}

function checkApiKey(exchange: Exchange): void {
  const { headers } = exchange.request;
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const key = stringOf(headers["api-key"]) ?? bearer ?? "";
  if (key !== "" && !key.startsWith("invalid")) return;
  const message =
    "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.";
  throw new ApiFailure(401, message, { code: "401" });
}

function resourceNotFound(): ApiFailure {
  return new ApiFailure(404, "Resource not found", { code: "404" });
}

function deploymentNotFound(): ApiFailure {
  const message =
    "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.";
  return new ApiFailure(404, message, { code: "DeploymentNotFound" });
}
