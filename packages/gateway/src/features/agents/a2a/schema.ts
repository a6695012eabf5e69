import {
  answers,
  detailText,
  type GroupDescription,
  json,
  type Operation,
} from "../../../contract/operation.ts";
import { amount, either, list, object, type Schema, text, word } from "../../../contract/schema.ts";
import { methodName } from "../protocol/operations.ts";
import { paramsOf } from "../protocol/schema.ts";

const card = object(
  { "name!": text(), "url!": text(), "supportedInterfaces!": list(object()) },
  "An agent card.",
);
const unknown = { when: "There is no such agent, or not for this key.", detail: detailText };
const noStore = { when: "There is no persistent store.", detail: detailText };
const about = "A JSON-RPC request with a method of A2A 1.0 and its parameters, or one of 0.3 by its names.";

function call(methods: readonly string[], params: Schema, about: string): Schema {
  const id = either(text(), amount());
  return object({ "jsonrpc!": word(["2.0"]), "id!": id, "method!": word(methods), params }, about);
}

const operations = Object.keys(paramsOf) as (keyof typeof paramsOf)[];
const request = json({
  description: about,
  anyOf: [
    ...[...Map.groupBy(operations, (name) => paramsOf[name])].map(([params, names]) =>
      call(names, params, names.map((name) => `\`${name}\``).join(", ")),
    ),
    call(
      operations.map((name) => methodName(name, "0.3")),
      object(),
      "The same in version 0.3",
    ),
  ],
});
const response = object({ "jsonrpc!": text(), "id!": {}, result: {}, error: object() });

function cardAt(name: string, id: string): Operation {
  return {
    method: "GET",
    path: `/a2a/{agent}/.well-known/${name}`,
    id,
    summary: "The agent's card",
    answer: answers("The card, with the gateway's address; without a key for agents made public.", card),
    errors: { 404: unknown, 500: noStore },
  };
}

function rpcAt(path: string, id: string): Operation {
  return {
    method: "POST",
    path,
    id,
    summary: "Call a method of the A2A protocol",
    request,
    answer: answers("A JSON-RPC response; server-sent events of such for the streaming methods.", response),
    errors: { 404: unknown, 500: noStore },
  };
}

/** Talking to agents. */
export const a2aDescription: GroupDescription = {
  tag: "A2A",
  about: "Talking to registered agents by the Agent2Agent protocol.",
  operations: [
    cardAt("agent-card.json", "agentCard"),
    cardAt("agent.json", "agentCardAtItsOldName"),
    rpcAt("/a2a/{agent}", "callAgent"),
    rpcAt("/v1/a2a/{agent}/message/send", "callAgentAtLiteLlmsPath"),
    {
      method: "GET",
      path: "/public/agent_hub",
      id: "listPublicAgents",
      summary: "The cards of all agents made public",
      answer: answers("The cards; no key is needed.", list(card)),
      errors: { 500: noStore },
    },
  ],
};
