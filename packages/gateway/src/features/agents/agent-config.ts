import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** An agent's definition (spec: AgentConfig). Fields that the spec does not name are kept as they came. */
export interface AgentConfig {
  readonly agent_name: string;
  readonly agent_card_params: JsonObject;
  readonly gateway_params: JsonObject;
}

type Check = (value: unknown, path: string) => void;

const MAX_NAME = 256;

const text: Check = (value, path) => {
  if (typeof value !== "string") throw wrong(path, "a string");
};
const url: Check = (value, path) => {
  text(value, path);
  if (!URL.canParse(value as string)) throw wrong(path, "an absolute URL");
};
const flag: Check = (value, path) => {
  if (typeof value !== "boolean") throw wrong(path, "true or false");
};
const listOf =
  (item: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, "an array");
    for (const [index, element] of value.entries()) item(element, `${path}[${index}]`);
  };
const objectOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isJsonObject(value)) throw wrong(path, "an object");
    for (const [name, check] of Object.entries(fields)) {
      const member = value[name];
      if (member !== undefined && member !== null) check(member, `${path}.${name}`);
    }
  };

const checkCard = objectOf({
  protocolVersion: text,
  name: text,
  description: text,
  url,
  version: text,
  defaultInputModes: listOf(text),
  defaultOutputModes: listOf(text),
  capabilities: objectOf({ streaming: flag, pushNotifications: flag }),
  skills: listOf(
    objectOf({ id: text, name: text, description: text, tags: listOf(text), examples: listOf(text) }),
  ),
});

const anObject = objectOf({});
const texts = (value: unknown, path: string): void => {
  anObject(value, path);
  for (const [name, member] of Object.entries(value as JsonObject)) text(member, `${path}.${name}`);
};
const amount: Check = (value, path) => {
  if (typeof value !== "number" || !(value >= 0)) throw wrong(path, "a number from 0");
};

const checkParams = objectOf({
  make_public: flag,
  model: text,
  instructions: text,
  tools: listOf(anObject),
  api_base: url,
  api_key: text,
  headers: texts,
  static_headers: texts,
  auth: anObject,
  protocol_version: text,
  allow_private_networks: flag,
  cost_per_query: amount,
});

/**
 * Reads an agent's definition, bare or under `agent`; `litellm_params` is another name for `gateway_params`.
 * @throws GatewayError 400 that names the field
 */
export function readAgentConfig(body: JsonObject): AgentConfig {
  const definition = unwrap(body);
  const name = definition.agent_name;
  if (name === undefined || name === null) throw invalidRequest("agent_name is required", "agent_name");
  return {
    agent_name: checkedName(name),
    agent_card_params: {},
    gateway_params: {},
    ...readParts(definition),
  };
}

/** Reads a change of a definition: only the fields that are there. */
export function readAgentPatch(body: JsonObject): Partial<AgentConfig> {
  const definition = unwrap(body);
  const name = definition.agent_name;
  return {
    ...(name === undefined || name === null ? {} : { agent_name: checkedName(name) }),
    ...readParts(definition),
  };
}

function unwrap(body: JsonObject): JsonObject {
  if (body.agent === undefined || body.agent_name !== undefined) return body;
  if (!isJsonObject(body.agent)) throw wrong("agent", "an object");
  return body.agent;
}

function checkedName(name: unknown): string {
  text(name, "agent_name");
  const { length } = name as string;
  if (length === 0 || length > MAX_NAME) throw wrong("agent_name", `a name of 1 to ${MAX_NAME} characters`);
  return name as string;
}

function readParts(
  definition: JsonObject,
): Partial<Pick<AgentConfig, "agent_card_params" | "gateway_params">> {
  const card = definition.agent_card_params ?? undefined;
  const params = definition.gateway_params ?? definition.litellm_params ?? undefined;
  if (card !== undefined) checkCard(card, "agent_card_params");
  if (params !== undefined) checkParams(params, "gateway_params");
  return {
    ...(card === undefined ? {} : { agent_card_params: card as JsonObject }),
    ...(params === undefined ? {} : { gateway_params: params as JsonObject }),
  };
}

function wrong(path: string, expected: string): Error {
  return invalidRequest(`${path} must be ${expected}`, path);
}
