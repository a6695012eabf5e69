import { randomUUID } from "node:crypto";
import { forbidden, GatewayError, notFound, shortened } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { isAdministrator, requireAdministrator } from "../../core/auth/permissions.ts";
import { changerOf } from "../../core/auth/records/change.ts";
import {
  holdsSecrets,
  keepsSecrets,
  maskAddresses,
  maskSecrets,
  restoreSecrets,
} from "../../platform/store/secret-params.ts";
import { type Agent, agentOfRow, columnsOf } from "./agent.ts";
import type { AgentConfig } from "./agent-config.ts";
import { type AgentRegistry, visibleAgents } from "./agent-registry.ts";
import { remoteSettings } from "./remote/remote-settings.ts";
import type { AgentStore } from "./store.ts";

/** Who asks for a change, and from where. */
type Asking = Pick<Exchange, "principal" | "address">;

/** Creates, finds, changes and deletes agents: in the store first, then in memory. */
export class AgentService {
  readonly #store: AgentStore;
  readonly #registry: AgentRegistry;

  readonly #management: () => AgentManagement;

  constructor(store: AgentStore, registry: AgentRegistry, management: () => AgentManagement) {
    this.#store = store;
    this.#registry = registry;
    this.#management = management;
  }

  /** Spec: Agents rule 1. */
  async list(principal: Principal): Promise<Agent[]> {
    return visibleAgents(await this.#registry.all(), principal);
  }

  /** Spec: Agents rule 2. */
  async create(config: AgentConfig, asking: Asking): Promise<Agent> {
    const { principal } = asking;
    requireMayManage(principal, this.#management());
    requireMayReach(config, principal);
    requireMayPrice(undefined, config, principal);
    const now = Date.now();
    const user = principal.userId ?? "unknown";
    const agent: Agent = {
      ...config,
      agent_id: randomUUID(),
      createdAt: now,
      createdBy: user,
      updatedAt: now,
      updatedBy: user,
    };
    const row = {
      agent_id: agent.agent_id,
      agent_name: agent.agent_name,
      agent_card_params: JSON.stringify(agent.agent_card_params),
      gateway_params: JSON.stringify(agent.gateway_params),
      created_at: now,
      created_by: user,
      updated_at: now,
      updated_by: user,
    };
    const change = await this.#store.insert(row, { changer: changerOf(asking), after: shown(agent) });
    if (change === "taken") throw nameTaken(config.agent_name);
    this.#registry.register(agent);
    return agent;
  }

  /** Spec: Agents rule 3: memory first, then the store. */
  async find(agentId: string): Promise<Agent> {
    const agent = (await this.#registry.byId(agentId)) ?? (await this.#stored(agentId));
    if (agent === undefined) throw agentNotFound(agentId);
    return agent;
  }

  /** Spec: Agents rule 4; a patch leaves out what stays. */
  async update(agentId: string, given: Partial<AgentConfig>, asking: Asking): Promise<Agent> {
    const { principal } = asking;
    requireMayManage(principal, this.#management());
    const before = await this.#stored(agentId);
    if (before === undefined) throw agentNotFound(agentId);
    const { gateway_params } = given;
    let patch: Partial<AgentConfig> =
      gateway_params === undefined
        ? given
        : { ...given, gateway_params: restoreSecrets(gateway_params, before.gateway_params) };
    if (patch.agent_card_params !== undefined)
      patch = {
        ...patch,
        agent_card_params: restoreSecrets(patch.agent_card_params, before.agent_card_params),
      };
    requireMayReach({ ...before, ...patch }, principal);
    requireMayPrice(before, { ...before, ...patch }, principal);
    requireMayRedirect(before, { ...before, ...patch }, given, principal);
    const updatedBy = principal.userId ?? "unknown";
    const updatedAt = Date.now();
    const agent: Agent = { ...before, ...patch, updatedAt, updatedBy };
    const columns = { ...columnsOf(patch), updated_at: updatedAt, updated_by: updatedBy };
    const audited = { changer: changerOf(asking), before: shown(before), after: shown(agent) };
    const change = await this.#store.update(agentId, columns, audited);
    if (change === "taken") throw nameTaken(patch.agent_name ?? before.agent_name);
    if (change === "missing") throw agentNotFound(agentId);
    this.#registry.register(agent, before.agent_name);
    return agent;
  }

  /** Spec: Agents rule 5. */
  async delete(agentId: string, asking: Asking): Promise<void> {
    requireMayManage(asking.principal, this.#management());
    const agent = await this.#stored(agentId);
    if (agent === undefined) throw agentNotFound(agentId);
    const audited = { changer: changerOf(asking), before: shown(agent) };
    if ((await this.#store.delete(agentId, audited)) === "missing") throw agentNotFound(agentId);
    this.#registry.remove(agent.agent_name);
  }

  async #stored(agentId: string): Promise<Agent | undefined> {
    const row = await this.#store.find(agentId);
    return row === undefined ? undefined : agentOfRow(row);
  }
}

/** The definition without credentials. */
function shown({ agent_name, agent_card_params, gateway_params }: Agent): JsonObject {
  return {
    agent_name,
    agent_card_params: maskAddresses(agent_card_params),
    gateway_params: maskSecrets(gateway_params),
  };
}

function nameTaken(name: string): GatewayError {
  const text = `Agent with name ${name} already exists`;
  return new GatewayError(400, "invalid_request_error", text, { param: "agent_name", detail: text });
}

function agentNotFound(agentId: string): GatewayError {
  const text = `Agent with ID ${shortened(agentId)} not found`;
  return notFound(text, text);
}

/** Who registers, changes and deletes agents. */
type AgentManagement = "keys" | "administrators";

/** @throws GatewayError 403 */
function requireMayManage(principal: Principal, management: AgentManagement): void {
  if (management === "administrators") requireAdministrator(principal, "POST");
}

/**
 * An agent that may be in a private network is an administrator's, and stays it: nobody else may point it elsewhere.
 * @throws GatewayError 403
 */
function requireMayReach({ gateway_params }: AgentConfig, principal: Principal): void {
  if (gateway_params.allow_private_networks !== true || isAdministrator(principal)) return;
  const text = "Only a proxy administrator's key may let an agent's address lead into private networks";
  throw forbidden(text, "gateway_params.allow_private_networks");
}

/**
 * What an agent's messages cost counts in the budgets of all who call it.
 * @throws GatewayError 403
 */
function requireMayPrice(before: AgentConfig | undefined, after: AgentConfig, principal: Principal): void {
  const priceOf = (agent: AgentConfig | undefined): unknown =>
    agent?.gateway_params.cost_per_query ?? undefined;
  if (priceOf(before) === priceOf(after) || isAdministrator(principal)) return;
  const text = "Only a proxy administrator's key may say what an agent's messages cost, or change it";
  throw forbidden(text, "gateway_params.cost_per_query");
}

/**
 * Credentials go to the address for which they were given: who leaves them as they are, and may not know them, cannot
 * have them sent elsewhere.
 * @param given the change as the caller wrote it
 * @throws GatewayError 403
 */
function requireMayRedirect(
  before: Agent,
  after: Agent,
  given: Partial<AgentConfig>,
  principal: Principal,
): void {
  if (isAdministrator(principal) || remoteSettings(before)?.url === remoteSettings(after)?.url) return;
  const { gateway_params: params } = given;
  if (params === undefined ? !holdsSecrets(before.gateway_params) : !keepsSecrets(params)) return;
  const text = "An agent's address changes only together with its credentials; send them anew";
  throw forbidden(text, "gateway_params");
}
