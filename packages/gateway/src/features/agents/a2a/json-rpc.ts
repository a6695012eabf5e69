import { GatewayError } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { readJsonObject } from "../../../contract/json-body.ts";
import { A2AError } from "../protocol/a2a-error.ts";

export type RpcId = string | number | null;

/** A JSON-RPC 2.0 request. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
}

const INTERNAL_ERROR = -32603;

/** Statuses that stay HTTP errors: they concern the caller's key and its limits, not the method. */
const httpStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 413, 429, 503]);

/**
 * Reads a JSON-RPC request.
 * @throws A2AError -32700 for invalid JSON, -32600 for an invalid request and for batches, which A2A does not have
 */
export function readRpcRequest(body: Buffer): RpcRequest {
  const { jsonrpc, id, method, params } = parse(body);
  if (jsonrpc !== "2.0") throw invalidRequest('jsonrpc must be "2.0"');
  if (typeof id !== "string" && typeof id !== "number")
    throw invalidRequest("id must be a string or a number; A2A has no notifications");
  if (typeof method !== "string") throw invalidRequest("method must be a string");
  if (params !== undefined && params !== null && !isJsonObject(params))
    throw new A2AError("invalidParams", "params must be an object");
  return { id, method, params: params ?? {} };
}

/** The id of a request that cannot be read, as far as it can be found. */
export function idOfBody(body: Buffer): RpcId {
  try {
    const { id } = parse(body);
    return typeof id === "string" || typeof id === "number" ? id : null;
  } catch {
    return null;
  }
}

function parse(body: Buffer): JsonObject {
  try {
    return readJsonObject(body);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.message.startsWith("Invalid JSON")) throw new A2AError("parse", "Invalid JSON payload");
    throw invalidRequest(error.message);
  }
}

export function rpcResult(id: RpcId, result: unknown): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/**
 * A failure in the JSON-RPC envelope.
 * @throws GatewayError what stays an HTTP error
 */
export function rpcError(id: RpcId, thrown: unknown): JsonObject {
  if (thrown instanceof A2AError) {
    const data = thrown.data === undefined ? {} : { data: thrown.data };
    return { jsonrpc: "2.0", id, error: { code: thrown.code, message: thrown.message, ...data } };
  }
  if (!(thrown instanceof GatewayError) || httpStatuses.has(thrown.status)) throw thrown;
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: thrown.message } };
}

function invalidRequest(message: string): A2AError {
  return new A2AError("invalidRequest", message);
}
