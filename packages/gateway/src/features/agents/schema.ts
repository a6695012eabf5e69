import { answers, detailText, type GroupDescription, json } from "../../contract/operation.ts";
import { amount, flag, given, list, map, object, text } from "../../contract/schema.ts";

const name = text("Unique.", { minLength: 1, maxLength: 256 });
const url = text(undefined, { format: "uri" });

const skill = given({
  id: text(),
  name: text(),
  description: text(),
  tags: list(text()),
  examples: list(text()),
});

const card = given({
  protocolVersion: text(),
  name: text(),
  description: text(),
  url,
  version: text(),
  defaultInputModes: list(text()),
  defaultOutputModes: list(text()),
  capabilities: given({ streaming: flag(), pushNotifications: flag() }),
  skills: list(skill),
});

const params = given({
  make_public: flag(),
  is_public: flag("LiteLLM's name for `make_public`."),
  model: text("Makes it a local agent on this model of the gateway."),
  instructions: text("The system prompt of a local agent."),
  tools: list(object(), "Tools of a local agent."),
  api_base: text("Address of a remote agent; the card's `url` otherwise.", { format: "uri" }),
  api_key: text("Credentials at a remote agent; never shown."),
  headers: map(text(), "Headers for a remote agent."),
  static_headers: map(text(), "LiteLLM's name for the same."),
  extra_headers: map(text(), "LiteLLM's name for the same."),
  auth: given({ type: text("`basic`"), username: text(), password: text() }),
  protocol_version: text("The version of A2A that a remote agent speaks."),
  allow_private_networks: flag("An administrator lets the address lead into private networks."),
  cost_per_query: amount("US dollars for each message, as an administrator says.", { minimum: 0 }),
});

const parts = { agent_card_params: card, gateway_params: params, litellm_params: params };

/** The body that registers an agent. */
export const agentBody = given(
  { "agent_name!": name, ...parts },
  "The definition, bare or under a member `agent`.",
);

/** The body that changes an agent. */
export const agentPatch = given({ agent_name: name, ...parts });

/** The body that shows the cards of several agents. */
export const publicAgents = given({ "agent_ids!": list(text()) });

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
      request: json(agentBody),
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
      request: json(agentBody),
      answer: answers("The agent.", agent),
      errors: { 400: taken, 404: unknown, 500: noStore },
    },
    {
      method: "PATCH",
      path: "/v1/agents/{agent_id}",
      id: "changeAgent",
      summary: "Change parts of an agent's definition",
      request: json(agentPatch),
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
      request: json(publicAgents),
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
