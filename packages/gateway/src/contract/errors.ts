import { defined, type JsonObject } from "./json.ts";
import type { Usage } from "./usage.ts";

/** The field's words for what went wrong (OpenAI's and Anthropic's `error.type`). */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "request_too_large"
  | "rate_limit_error"
  | "budget_exceeded"
  | "overloaded_error"
  | "timeout_error"
  | "api_error";

/** What an answer used that did not become one. */
export interface Billed {
  readonly usage: Usage | undefined;
}

/** What an error may carry beside its message. */
export interface GatewayErrorOptions {
  /** The request field at fault. */
  readonly param?: string;
  /** The spec's `detail`, in exactly the shape that it asks for. */
  readonly detail?: string | JsonObject;
  /** Seconds until another try makes sense. */
  readonly retryAfter?: number;
  /** Further response headers, such as rate-limit figures. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Another try, here or at another deployment, may succeed. */
  readonly retryable?: boolean;
  /** The provider's own machine-readable code, such as `context_length_exceeded`. */
  readonly providerCode?: string;
  /** What clients act on beside the message (`error.details`): Anthropic's are an object, Google's a list. */
  readonly details?: JsonObject | readonly JsonObject[];
  /** The provider bills an answer that nobody gets: what it counted, where it did. */
  readonly billed?: Billed;
  readonly cause?: unknown;
}

/**
 * The one error that reaches callers. `message` is public: it never holds a key, an upstream address, a path or a
 * stack; what an operator needs beyond it goes into `cause`, which only the log sees.
 */
export class GatewayError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly param: string | undefined;
  readonly detail: string | JsonObject | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly retryable: boolean;
  readonly providerCode: string | undefined;
  readonly details: JsonObject | readonly JsonObject[] | undefined;
  readonly billed: Billed | undefined;

  constructor(status: number, type: ErrorType, message: string, options: GatewayErrorOptions = {}) {
    super(bounded(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "GatewayError";
    this.status = status;
    this.type = type;
    this.param = options.param && bounded(options.param);
    this.detail = options.detail;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
    this.retryable =
      options.retryable ?? (status === 408 || status === 409 || status === 429 || status >= 500);
    this.providerCode = options.providerCode;
    this.details = options.details;
    this.billed = options.billed;
  }

  /** The same error with another message or further headers; its own headers win. */
  with(changes: { message?: string; headers?: Readonly<Record<string, string>> }): GatewayError {
    const { status, type, message, param, detail, retryAfter, retryable } = this;
    const { providerCode, details, billed, cause } = this;
    return new GatewayError(status, type, changes.message ?? message, {
      headers: { ...changes.headers, ...this.headers },
      retryable,
      ...defined({ param, detail, retryAfter, providerCode, details, billed, cause }),
    });
  }
}

/** Characters of a message: what callers make up in it goes into answers and logs. Providers' own have some thousands. */
const MAX_MESSAGE = 10_000;
/** Of these the last, which say what was wrong with a name that is long. */
const END_OF_LONG = 500;

function bounded(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  const start = text.slice(0, MAX_MESSAGE - END_OF_LONG);
  return `${start} ... ${text.slice(-END_OF_LONG)}`.toWellFormed();
}

const typesOfStatuses: ReadonlyMap<number, ErrorType> = new Map([
  [401, "authentication_error"],
  [402, "budget_exceeded"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [408, "timeout_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

/** The type of an error of which only the status is known. */
export function errorTypeOf(status: number): ErrorType {
  return typesOfStatuses.get(status) ?? (status < 500 ? "invalid_request_error" : "api_error");
}

/** 400 for a request that the caller must change. */
export function invalidRequest(message: string, param?: string, detail?: string | JsonObject): GatewayError {
  return new GatewayError(400, "invalid_request_error", message, {
    ...(param === undefined ? {} : { param }),
    ...(detail === undefined ? {} : { detail }),
  });
}

/**
 * 400 for a member of a request that is not there, in OpenAI's words; a null says as little.
 * @param path where it should stand, such as `messages`
 */
export function missingField(path: string): GatewayError {
  return invalidRequest(missingText(path), path);
}

/** The words of `missingField`. */
export function missingText(path: string): string {
  return `Missing required parameter: '${path}'.`;
}

/** 403 for a request that this caller may not make. */
export function forbidden(message: string, param?: string): GatewayError {
  return new GatewayError(403, "permission_error", message, param === undefined ? {} : { param });
}

/** 413 for a request, or for a part of it, past its limit. */
export function requestTooLarge(message: string, param?: string): GatewayError {
  return new GatewayError(413, "request_too_large", message, param === undefined ? {} : { param });
}

export const NO_STORE =
  "The persistent store is not initialised: set general_settings.store or database_url to use this";

/** 500 for a request that needs the store, at a gateway that runs without one. */
export function noStore(options: Pick<GatewayErrorOptions, "detail"> = {}): GatewayError {
  return new GatewayError(500, "api_error", NO_STORE, { ...options, retryable: false });
}

/** As much of a caller's text as an error repeats. */
export function shortened(text: string): string {
  return text.slice(0, 200);
}

/** 404 for a thing that does not exist, or not for this caller. */
export function notFound(message: string, detail?: string): GatewayError {
  return new GatewayError(404, "not_found_error", message, detail === undefined ? {} : { detail });
}

/**
 * Whatever a handler threw as an error that may be shown. What the gateway did not foresee becomes a plain 500: its
 * message may hold an address, a path or a secret, so only the log gets it, as the cause. Providers that cannot be
 * reached are told apart where they are asked; what is left without a connection is a database: 503.
 */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (isUnreachable(thrown) || isBusy(thrown)) {
    const text = "A database that the gateway needs does not answer at the moment; try again";
    return new GatewayError(503, "overloaded_error", text, { retryAfter: 5, cause: thrown });
  }
  if (takesNothing(thrown)) {
    const text =
      "The gateway's disk or database is full or read-only, so that nothing is kept; try again later";
    return new GatewayError(503, "overloaded_error", text, { retryAfter: 30, cause: thrown });
  }
  return new GatewayError(500, "api_error", "Internal server error", { cause: thrown });
}

/**
 * Node's codes, and PostgreSQL's of its connections, its shutdown, and one that gives us none (appendix A of its manual,
 * classes 08 and 57P).
 */
const unreachableCode =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0[1-5]|53300)$/;
/** What the pg package throws without a code. */
const unreachableMessage = /^(?:Connection terminated|Client has encountered a connection error)/;

/** Whether nothing can be asked of a database: it is gone, starts, or says nothing. */
export function isUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, message } = thrown as Error & { code?: unknown };
  return (typeof code === "string" && unreachableCode.test(code)) || unreachableMessage.test(message);
}

/** PostgreSQL's codes of a statement that was given up for its time or a lock. */
const busyCode = /^(?:57014|55P03)$/;
/** What the pg package throws when all connections of its pool are in use. */
const NONE_FREE = "timeout exceeded when trying to connect";

/** Whether a database answers, and has no time for this: what is asked of it may be what keeps it busy. */
function isBusy(thrown: unknown): boolean {
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  return (typeof code === "string" && busyCode.test(code)) || message === NONE_FREE;
}

/** Whether no connection became free in time. */
export function isNoneFree(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === NONE_FREE;
}

/**
 * The file system's codes of a disk that is full or read-only, and PostgreSQL's of the same (a standby, a full disk or
 * memory, a fault of its disk).
 */
const nothingTaken = /^(?:ENOSPC|EROFS|EDQUOT|EIO|25006|53[012]00|58030)$/;
/** SQLite's: busy, read-only, a fault of the disk, full, cannot open. */
const nothingTakenBySqlite: ReadonlySet<number> = new Set([5, 8, 10, 13, 14]);

function takesNothing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, errcode } = thrown as Error & { code?: unknown; errcode?: unknown };
  if (code === "ERR_SQLITE_ERROR") return nothingTakenBySqlite.has(Number(errcode) % 256);
  return typeof code === "string" && nothingTaken.test(code);
}
