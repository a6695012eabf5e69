import { shortened } from "../../../contract/errors.ts";

/** The error codes of JSON-RPC 2.0 and of the A2A specification 1.0, section 9.5. */
const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  pushNotSupported: -32003,
  unsupportedOperation: -32004,
  invalidAgentResponse: -32006,
  versionNotSupported: -32009,
} as const;

export type A2AErrorName = keyof typeof codes;

/** An error that reaches an A2A caller in the JSON-RPC envelope. */
export class A2AError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(
    code: A2AErrorName | number,
    message: string,
    options: { data?: unknown; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "A2AError";
    this.code = typeof code === "number" ? code : codes[code];
    this.data = options.data;
  }

  is(name: A2AErrorName): boolean {
    return this.code === codes[name];
  }
}

/** The parameters do not fit the method; `field` is their path. */
export function invalidParams(field: string, expected: string): A2AError {
  return new A2AError("invalidParams", `${field} must be ${expected}`, { data: { field } });
}

/** Answers for a task that does not exist and for one of another tenant alike. */
export function taskNotFound(id: string): A2AError {
  return new A2AError("taskNotFound", `Task '${shortened(id)}' was not found`);
}
