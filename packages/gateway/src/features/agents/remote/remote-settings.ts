import { filledText, isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Agent } from "../agent.ts";
import type { ProtocolVersion } from "../protocol/a2a-types.ts";

/** Where a remote agent is and how the gateway shows itself there. */
export interface RemoteSettings {
  readonly url: string;
  /** The version that the registration names; the agent may turn out to speak the other. */
  readonly version: ProtocolVersion;
  /** Credentials and further headers; callers never see them. */
  readonly headers: Readonly<Record<string, string>>;
  /** An administrator lets the address lead into private networks. */
  readonly allowPrivateNetwork: boolean;
  /** US dollars for each message. */
  readonly costPerMessage: number | undefined;
}

/** What a registration says about its remote agent; `undefined` when it names no address. */
export function remoteSettings({
  agent_card_params: card,
  gateway_params: params,
}: Agent): RemoteSettings | undefined {
  const named = jsonRpcInterface(card);
  const url = filledText(params.api_base) ?? filledText(card.url) ?? filledText(named?.url);
  if (url === undefined || !URL.canParse(url)) return undefined;
  const version = params.protocol_version ?? card.protocolVersion ?? named?.protocolVersion;
  return {
    url,
    version: typeof version === "string" && version.startsWith("1.") ? "1.0" : "0.3",
    headers: { ...headersOf(params), ...credentials(params) },
    allowPrivateNetwork: params.allow_private_networks === true,
    costPerMessage: typeof params.cost_per_query === "number" ? params.cost_per_query : undefined,
  };
}

/** The JSON-RPC address of a card in version 1.0. */
function jsonRpcInterface(card: JsonObject): JsonObject | undefined {
  const { supportedInterfaces: interfaces } = card;
  if (!Array.isArray(interfaces)) return undefined;
  return interfaces.find(
    (entry): entry is JsonObject => isJsonObject(entry) && entry.protocolBinding === "JSONRPC",
  );
}

/** `headers`, and LiteLLM's names for the same. */
function headersOf(params: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const given of [params.extra_headers, params.static_headers, params.headers]) {
    if (!isJsonObject(given)) continue;
    for (const [name, value] of Object.entries(given))
      if (typeof value === "string") headers[name.toLowerCase()] = value;
  }
  return headers;
}

function credentials({ api_key: key, auth }: JsonObject): Record<string, string> {
  if (isJsonObject(auth) && auth.type === "basic") {
    const pair = `${String(auth.username ?? "")}:${String(auth.password ?? "")}`;
    return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  }
  return typeof key === "string" && key !== "" ? { authorization: `Bearer ${key}` } : {};
}
