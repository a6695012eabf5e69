import { NO_STORE, noStore, notFound, shortened } from "../../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../../contract/exchange.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import { countUnderNamed, type RequestScopes } from "../../../core/auth/request-scopes.ts";
import { requireParams } from "../../../core/auth/restrictions.ts";
import { publicAddress } from "../../../core/http/public-address.ts";
import { seesEveryTenant } from "../../../core/objects/tenant.ts";
import type { ConfigSource } from "../../../platform/config/gateway-config.ts";
import type { Logger } from "../../../platform/log/logger.ts";
import type { A2AService } from "../a2a-service.ts";
import { type Agent, type AgentCall, isPublic } from "../agent.ts";
import { agentCard } from "../agent-card.ts";
import { type AgentRegistry, visibleAgents } from "../agent-registry.ts";
import { A2AError } from "../protocol/a2a-error.ts";
import type { ProtocolVersion } from "../protocol/a2a-types.ts";
import { fromLegacyParams } from "../protocol/legacy/legacy-params.ts";
import { asks, operationOf, streams } from "../protocol/operations.ts";
import { fromProtoNames } from "../protocol/proto-names.ts";
import { idOfBody, type RpcRequest, readRpcRequest, rpcError, rpcResult } from "./json-rpc.ts";
import { eventReply, type RpcAnswer, rpcStream, runMethod } from "./rpc-methods.ts";

/** What the A2A endpoints need. */
interface A2ARouteDeps {
  readonly config: ConfigSource;
  readonly registry: AgentRegistry;
  readonly service: A2AService;
  readonly tenantOf: (principal: Principal) => string;
  readonly scopes: RequestScopes | undefined;
  readonly logger: Logger;
}

/** Where clients look for a card: in version 0.3 and 1.0, and before. */
const cardNames = ["agent-card.json", "agent.json"];

/** Talking to agents by the A2A protocol. @param deps absent without a persistent store */
export function a2aRoutes(deps: A2ARouteDeps | undefined): Route[] {
  const route = (
    method: Route["method"],
    path: string,
    access: Route["access"],
    answer: (deps: A2ARouteDeps, exchange: Exchange) => Promise<Reply>,
  ): Route => ({
    method,
    path,
    access,
    family: "openai",
    callType: "asend_message",
    handler: (exchange) => {
      if (deps === undefined) throw noStore({ detail: NO_STORE });
      return answer(deps, exchange);
    },
  });
  return [
    ...cardNames.map((name) => route("GET", `/a2a/:agent/.well-known/${name}`, "public", showCard)),
    route("GET", "/public/agent_hub", "public", showPublicCards),
    route("POST", "/a2a/:agent", "key", answerRpc),
    route("POST", "/v1/a2a/:agent/message/send", "key", answerRpc),
  ];
}

/** The card of an agent made public is for everybody; any other one for keys that may see the agent. */
async function showCard(deps: A2ARouteDeps, exchange: Exchange): Promise<Reply> {
  const agent = await findAgent(deps.registry, exchange.params.agent!);
  if (agent === undefined || !isPublic(agent)) {
    const principal = await exchange.identify!();
    requireVisible(agent, principal, exchange.params.agent!);
  }
  const headers = {
    "cache-control": "no-cache",
    vary: "a2a-version, authorization, host, x-forwarded-host, x-forwarded-proto",
  };
  return { status: 200, headers, body: cardOf(deps, agent!, exchange) };
}

async function showPublicCards(deps: A2ARouteDeps, exchange: Exchange): Promise<Reply> {
  const agents = (await deps.registry.all()).filter(isPublic);
  return { status: 200, body: agents.map((agent) => cardOf(deps, agent, exchange)) };
}

async function answerRpc(deps: A2ARouteDeps, exchange: Exchange): Promise<Reply> {
  const found = await findAgent(deps.registry, exchange.params.agent!);
  const agent = requireVisible(found, exchange.principal, exchange.params.agent!);
  const body = await exchange.readBody();
  let request: RpcRequest | undefined;
  try {
    request = readRpcRequest(body);
    const answer = await run(deps, exchange, agent, request);
    return "result" in answer
      ? { status: 200, body: rpcResult(request.id, answer.result) }
      : rpcStream(request.id, answer.results, deps.logger);
  } catch (error) {
    const answer = rpcError(request === undefined ? idOfBody(body) : request.id, error);
    if (request === undefined || !wantsEvents(exchange, request.method)) return { status: 200, body: answer };
    return eventReply([answer]);
  }
}

/** Clients that asked for a stream read its errors as events too; the official ones read nothing else there. */
function wantsEvents({ headers }: Exchange, method: string): boolean {
  const operation = operationOf(method)?.operation;
  return operation !== undefined && streams(operation) && /text\/event-stream/.test(headers.accept ?? "");
}

async function run(
  deps: A2ARouteDeps,
  exchange: Exchange,
  agent: Agent,
  { method, params }: RpcRequest,
): Promise<RpcAnswer> {
  checkVersion(exchange);
  const known = operationOf(method);
  if (known === undefined) throw new A2AError("methodNotFound", `There is no method '${shortened(method)}'`);
  const { operation, version } = known;
  if (operation === "GetExtendedAgentCard") return { result: cardOf(deps, agent, exchange, version) };
  if (asks(operation)) requireParams(exchange.principal, { headers: exchange.headers, body: params });
  const asked = { principal: exchange.principal, headers: exchange.headers };
  await countUnderNamed(deps.scopes, exchange, params);
  const { principal, callId, caller: signal, call } = exchange;
  const agentCall: AgentCall = {
    agent,
    principal,
    asked,
    tenant: deps.tenantOf(principal),
    callId,
    version,
    signal,
    call,
  };
  const given = version === "1.0" ? fromProtoNames(params) : fromLegacyParams(operation, params);
  return runMethod(operation, deps.service, agentCall, given);
}

/** The method's name says which version the caller speaks; the header must only not ask for one that is unknown. */
function checkVersion({ headers }: Exchange): void {
  const asked = headers["a2a-version"];
  if (asked === undefined || asked === "" || /^(0\.3|1\.0)(\.\d+)?$/.test(String(asked))) return;
  throw new A2AError("versionNotSupported", "This gateway speaks A2A 0.3 and 1.0");
}

function cardOf(
  { config }: A2ARouteDeps,
  agent: Agent,
  { headers }: Exchange,
  version: ProtocolVersion = versionOf(headers["a2a-version"]),
): JsonObject {
  const base = publicAddress(headers, config.current);
  const url = `${base}/a2a/${encodeURIComponent(agent.agent_name)}`;
  return agentCard(agent, url, version === "1.0" ? version : undefined);
}

/** Callers who say nothing may speak either version; A2A takes them for the older one. */
function versionOf(header: string | string[] | undefined): ProtocolVersion {
  return String(header ?? "").startsWith("1.") ? "1.0" : "0.3";
}

/** An agent by its name or its id. */
async function findAgent(registry: AgentRegistry, named: string): Promise<Agent | undefined> {
  return (await registry.byName(named)) ?? registry.byId(named);
}

/** @throws GatewayError 404 for an agent that the key may not see exactly as for one that does not exist */
function requireVisible(agent: Agent | undefined, principal: Principal, named: string): Agent {
  if (agent !== undefined && visibleAgents([agent], principal).length > 0) return agent;
  const text = `Agent '${shortened(named)}' not found`;
  const which = seesEveryTenant(principal)
    ? "; GET /v1/agents lists all"
    : "; a key sees those that its metadata (agents) or its team's names";
  throw notFound(text + which, text);
}
