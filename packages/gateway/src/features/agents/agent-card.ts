import { filledText, type JsonObject, objectOf } from "../../contract/json.ts";
import { maskAddresses } from "../../platform/store/secret-params.ts";
import { VERSION } from "../../util/version.ts";
import type { Agent } from "./agent.ts";

const BEARER = "bearer";

/**
 * An agent's card as callers of the gateway see it: its definition with the gateway's address and authentication in
 * place of its own. Callers who do not say their version get what both need: 1.0 reads `supportedInterfaces` and
 * `securityRequirements`, 0.3 reads `url`, `preferredTransport` and `security`.
 * @param url where the gateway takes messages for the agent
 * @param version the caller's, where it is known to be 1.0
 */
export function agentCard(agent: Agent, url: string, version?: "1.0"): JsonObject {
  const card = agent.agent_card_params;
  const capabilities = objectOf(card.capabilities);
  return {
    description: "",
    version: VERSION,
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    ...maskAddresses(withoutOwnAccess(card)),
    name: filledText(card.name) ?? agent.agent_name,
    ...(version === "1.0" ? {} : legacyAccess(url)),
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    capabilities: {
      ...capabilities,
      streaming: capabilities.streaming ?? true,
      pushNotifications: true,
      extendedAgentCard: true,
    },
    securitySchemes: {
      [BEARER]: {
        ...(version === "1.0" ? {} : { type: "http", scheme: "bearer" }),
        httpAuthSecurityScheme: { scheme: "bearer" },
      },
    },
    securityRequirements: [{ schemes: { [BEARER]: { list: [] } } }],
  };
}

/** What only version 0.3 reads. */
function legacyAccess(url: string): JsonObject {
  return {
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    supportsAuthenticatedExtendedCard: true,
    security: [{ [BEARER]: [] }],
  };
}

/** What is true of the agent's own address only; a signature would not fit the changed card. */
function withoutOwnAccess(card: JsonObject): JsonObject {
  const { additionalInterfaces: _, signatures: __, url: ___, protocolVersion: ____, ...rest } = card;
  return rest;
}
