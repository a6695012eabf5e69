import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Handler, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readJsonObject } from "../../contract/json-body.ts";
import { ownAlias } from "../../contract/principal.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { countAtProvider, type ProviderCounter } from "../../core/call/count-at-provider.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import { effectiveModel, requireEffectiveModel } from "../../core/call/prepare-call.ts";
import { replaceReferences, requireVisibleReferences } from "../../core/call/request-references.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { protocolHeaders } from "../../formats/upstream-headers.ts";

/** Says who counted: `provider` or `local`. */
const SOURCE_HEADER = "x-portico-token-count-source";

/**
 * `POST /v1/messages/count_tokens`: the provider's own count where the model's deployment has a counter that answers,
 * else the local tokenizer's.
 */
export function countTokensHandler(deps: CallDeps): Handler {
  return async (exchange) => {
    const body = readJsonObject(await exchange.readBody());
    checked(body);
    let source = "local";
    const run = async (data: JsonObject): Promise<JsonObject> => {
      const model = ownAlias(exchange.principal, checked(data));
      const config = deps.config.current;
      const effective = effectiveModel(model, "messages", config) ?? model;
      exchange.call.model = effective;
      requireEffectiveModel(exchange.principal, model, effective, "messages", config);
      await requireVisibleReferences(deps.references, data, exchange.principal);
      const counted = await count(deps, exchange, effective, data);
      source = counted.source;
      return { input_tokens: counted.tokens };
    };
    const reply = await governedJson(deps, exchange, body, run);
    return { ...reply, headers: { ...reply.headers, [SOURCE_HEADER]: source } } as Reply;
  };
}

/** @throws GatewayError 400 with the spec's detail (count-tokens rules 1 and 2) */
function checked({ model, messages }: JsonObject): string {
  if (model === undefined || model === null || model === "")
    throw refused("model parameter is required", "model");
  if (typeof model !== "string") throw refused("model must be a string", "model");
  if (messages === undefined || messages === null || (Array.isArray(messages) && messages.length === 0))
    throw refused("messages parameter is required", "messages");
  if (!Array.isArray(messages)) throw refused("messages must be an array", "messages");
  return model;
}

async function count(
  deps: CallDeps,
  exchange: Exchange,
  model: string,
  body: JsonObject,
): Promise<{ tokens: number; source: "provider" | "local" }> {
  try {
    const counted = await countAtProvider(deps, exchange, model, counterOf(deps, exchange, body));
    if (counted !== undefined) return { tokens: counted, source: "provider" };
    return { tokens: await deps.countTokens(body), source: "local" };
  } catch (thrown) {
    const message = thrown instanceof GatewayError ? thrown.message : "the tokens could not be counted";
    const text = `Internal server error: ${message}`;
    throw new GatewayError(500, "api_error", text, { detail: { error: text }, cause: thrown });
  }
}

/** Anthropic's counter. */
function counterOf(deps: CallDeps, exchange: Exchange, body: JsonObject): ProviderCounter {
  const { headers, call, principal, signal } = exchange;
  return {
    format: "messages",
    path: () => upstreamPath`/messages/count_tokens`,
    body: async (target) => {
      const caller = { principal, record: call, signal };
      const changes = await replaceReferences(deps.references, body, caller, target, true);
      return { ...body, ...Object.fromEntries(changes), model: target.model };
    },
    read: (answer) => answer.input_tokens,
    headers: protocolHeaders(headers),
  };
}

function refused(text: string, param: string): GatewayError {
  return invalidRequest(text, param, { error: text });
}
