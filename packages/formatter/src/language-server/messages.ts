/** JSON-RPC 2.0 as the Language Server Protocol 3.17 uses it. */

/** A request's id. */
export type RequestId = number | string;

/** What arrives: with an id it is a request, without one a notification. */
export interface IncomingMessage {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Error codes of JSON-RPC and of the protocol. */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverNotInitialized: -32002,
} as const;

/** A request that gets an error for an answer. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a message's body; `undefined` for a client's answer to a request, of which this server sends none.
 * @throws {RequestError} when it is no JSON or no message
 */
export function parseMessage(body: Uint8Array): IncomingMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8"));
  } catch {
    throw new RequestError(ErrorCode.parseError, "The message is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RequestError(ErrorCode.invalidRequest, "A message is one JSON object.");
  const { id, method, params } = value as Record<string, unknown>;
  if (method === undefined && id !== undefined) return undefined;
  if (typeof method !== "string")
    throw new RequestError(ErrorCode.invalidRequest, "A message names its method.");
  if (id !== undefined && typeof id !== "number" && typeof id !== "string")
    throw new RequestError(ErrorCode.invalidRequest, "A request's id is a number or a text.");
  return { id, method, params };
}
