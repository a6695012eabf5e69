import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonObject } from "../../contract/json-body.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { editMembers } from "../../util/json-span.ts";
import type { ModelCall } from "./model-call.ts";

/** Checks a parsed body before the call begins. */
export type CheckBody = (body: JsonObject) => void;

/**
 * A request that came over HTTP as a model call.
 * @param raw the exchange's body
 * @param model given in the path (Azure's clients put it there); it replaces the body's
 * @throws GatewayError 400 for a body that is not a JSON object or that `check` refuses
 */
export function callOfExchange(
  exchange: Exchange,
  raw: Buffer,
  format: WireFormat,
  check: CheckBody,
  model?: string,
): ModelCall {
  const body = parseJsonObject(raw);
  check(body);
  const named = model === undefined || body.model === model;
  const { callId, family, headers, principal, caller, call } = exchange;
  return {
    callId,
    format,
    family,
    body: named ? body : { ...body, model },
    raw: named ? raw : editMembers(raw, new Map([["model", JSON.stringify(model)]])),
    headers,
    principal,
    signal: caller,
    record: call,
  };
}

/** @throws GatewayError 400 unless `messages` is an array with at least one entry */
export function requireMessages(body: JsonObject): void {
  const { messages } = body;
  if (!Array.isArray(messages)) throw invalidRequest("messages must be an array", "messages");
  if (messages.length === 0) throw invalidRequest("messages must not be empty", "messages");
}
