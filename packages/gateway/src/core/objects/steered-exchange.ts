import type { Exchange } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { isAbsent } from "./choose-provider.ts";

/** The ids of an operation's request data, with the path parameters that they came from. */
type IdParameters = Readonly<Record<string, string>>;

/** What names the provider of a header in an exchange. */
const HEADER = "custom-llm-provider";

/**
 * The exchange as if the caller had sent what hooks made of it: other ids, another provider, another query. The same
 * exchange where they changed none of them.
 * @param given the request data before the hooks
 */
export function steeredExchange(
  exchange: Exchange,
  given: JsonObject,
  changed: JsonObject,
  ids: IdParameters = {},
): Exchange {
  const params = { ...exchange.params };
  const renamed = Object.entries(ids).filter(([name]) => isOther(given[name], changed[name]));
  for (const [name, parameter] of renamed) params[parameter] = String(changed[name]);
  const { query_params: queryParams, custom_llm_provider: named } = changed;
  const isQueried =
    isJsonObject(queryParams) && JSON.stringify(queryParams) !== JSON.stringify(given.query_params);
  const isNamed = isOther(given.custom_llm_provider, named);
  if (renamed.length === 0 && !isQueried && !isNamed) return exchange;
  const query = isQueried ? new URLSearchParams(texts(queryParams)) : new URLSearchParams(exchange.query);
  const headers = { ...exchange.headers };
  if (isNamed) {
    // Wherever the operation looks first.
    params.provider = String(named);
    headers[HEADER] = String(named);
    query.set("custom_llm_provider", String(named));
  }
  const { callId, method, path, family, principal, signal, caller, call } = exchange;
  return {
    ...{ callId, method, path, family, principal, signal, caller, call },
    ...{ params, query, headers },
    abort: (reason) => exchange.abort(reason),
    outliveCaller: () => exchange.outliveCaller(),
    readBody: () => exchange.readBody(),
    bodyStream: () => exchange.bodyStream(),
  };
}

/** A hook that leaves a member out says nothing about it. */
function isOther(given: unknown, changed: unknown): boolean {
  return !isAbsent(changed) && changed !== given;
}

function texts(query: JsonObject): Record<string, string> {
  const named = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
