import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readJsonObject } from "../../contract/json-body.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { editMembers } from "../../util/json-span.ts";
import { executeCall } from "./execute-call.ts";
import type { CallDeps } from "./model-call.ts";

/** Checks a parsed body before the call begins. */
type CheckBody = (body: JsonObject) => void;

/**
 * Answers a request that came over HTTP by a call of its model. A model that the path names (Azure's clients put it
 * there) replaces the body's.
 * @throws GatewayError 400 for a body that is not a JSON object or that `check` refuses, and as `executeCall`
 */
export async function answerExchange(
  deps: CallDeps,
  exchange: Exchange,
  format: WireFormat,
  check: CheckBody,
): Promise<Reply> {
  const raw = await exchange.readBody();
  const body = readJsonObject(raw);
  check(body);
  const { callId, family, headers, params, principal, caller, call } = exchange;
  const { model } = params;
  const named = model === undefined || body.model === model;
  return await executeCall(deps, {
    callId,
    format,
    family,
    body: named ? body : { ...body, model },
    raw: named ? raw : editMembers(raw, new Map([["model", JSON.stringify(model)]])),
    headers,
    principal,
    signal: caller,
    record: call,
  });
}

/** @throws GatewayError 400 unless `messages` is an array with at least one entry */
export function requireMessages(body: JsonObject): void {
  const { messages } = body;
  if (!Array.isArray(messages)) throw invalidRequest("messages must be an array", "messages");
  if (messages.length === 0) throw invalidRequest("messages must not be empty", "messages");
}
