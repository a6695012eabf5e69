import { answers, detailText, type GroupDescription, json } from "../../contract/operation.ts";
import { flag, list, object, text } from "../../contract/schema.ts";

const skill = object({
  id: text(),
  name: text(),
  description: text(),
  tags: list(text()),
  examples: list(text()),
});

const card = object({
  protocolVersion: text(),
  name: text(),
  description: text(),
  url: { type: "string", format: "uri" },
  version: text(),
  defaultInputModes: list(text()),
  defaultOutputModes: list(text()),
  capabilities: object({ streaming: flag() }),
  skills: list(skill),
});

const parts = {
  agent_card_params: card,
  gateway_params: object(
    {
      make_public: flag(),
      model: text("Makes it a local agent on this model of the gateway."),
      instructions: text("The system prompt of a local agent."),
      tools: list(object()),
      api_base: text("Address of a remote agent; the card's `url` otherwise."),
      api_key: text("Credentials at a remote agent; never shown."),
      allow_private_networks: flag(),
    },
    "`litellm_params` is another name for it.",
  ),
};
const config = object(
  { "agent_name!": text("Unique."), ...parts },
  "The definition, bare or under a member `agent`.",
);
const agent = object({
  "agent_id!": text(),
  "agent_name!": text(),
  ...parts,
  created_at: text(),
  created_by: text(),
  updated_at: text(),
  updated_by: text(),
});

const noStore = { when: "There is no persistent store, or something unexpected failed.", detail: detailText };
const unknown = { when: "There is no agent with this id.", detail: detailText };
const taken = { when: "An agent with that name exists, or a field is wrong.", detail: detailText };

/** Registering agents (spec: Agents). */
export const agentDescription: GroupDescription = {
  tag: "Agents",
  about: "Definitions of agents, kept by the gateway.",
  beta: true,
  operations: [
    {
      method: "GET",
      path: "/v1/agents",
      id: "listAgents",
      summary: "List the agents that the key may see",
      answer: answers(
        "All for administrators; else those that the key's metadata names, else those of its team's.",
        list(object({ agent_id: text(), "agent_name!": text(), ...parts })),
      ),
      errors: { 500: noStore },
    },
    {
      method: "POST",
      path: "/v1/agents",
      id: "createAgent",
      summary: "Register an agent",
      request: json(config),
      answer: answers("The agent.", agent),
      errors: { 400: taken, 500: noStore },
    },
    {
      method: "GET",
      path: "/v1/agents/{agent_id}",
      id: "retrieveAgent",
      summary: "Retrieve an agent",
      answer: answers("The agent.", agent),
      errors: { 404: unknown, 500: noStore },
    },
    {
      method: "PUT",
      path: "/v1/agents/{agent_id}",
      id: "replaceAgent",
      summary: "Replace an agent's definition",
      request: json(config),
      answer: answers("The agent.", agent),
      errors: { 400: taken, 404: unknown, 500: noStore },
    },
    {
      method: "PATCH",
      path: "/v1/agents/{agent_id}",
      id: "changeAgent",
      summary: "Change parts of an agent's definition",
      request: json(object({ agent_name: text(), ...parts })),
      answer: answers("The agent.", agent),
      errors: { 400: taken, 404: unknown, 500: noStore },
    },
    {
      method: "POST",
      path: "/v1/agents/{agent_id}/make_public",
      id: "makeAgentPublic",
      summary: "Show an agent's card without a key",
      answer: answers("The agent.", agent),
      errors: { 404: unknown, 500: noStore },
    },
    {
      method: "POST",
      path: "/v1/agents/make_public",
      id: "makeAgentsPublic",
      summary: "Show the cards of several agents without a key",
      request: json(object({ "agent_ids!": list(text()) })),
      answer: answers("They are public.", object({ "message!": text(), public_agents: list(text()) })),
      errors: { 404: unknown, 500: noStore },
    },
    {
      method: "DELETE",
      path: "/v1/agents/{agent_id}",
      id: "deleteAgent",
      summary: "Delete an agent",
      answer: answers("It is gone.", object({ "message!": text() })),
      errors: { 404: unknown, 500: noStore },
    },
  ],
};
