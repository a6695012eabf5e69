import { type ErrorType, GatewayError } from "../contract/errors.ts";
import { defined, filledText, isJsonObject, type JsonObject, parseJson } from "../contract/json.ts";
import { CONTENT_POLICY_CODE, CONTEXT_WINDOW_CODE } from "../contract/provider-code.ts";
import { redact } from "../platform/log/redact.ts";
import { retryAfterSeconds } from "../platform/transport/headers.ts";

const types: Readonly<Record<number, ErrorType>> = {
  401: "authentication_error",
  402: "permission_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const tooLong =
  /context.{0,12}(length|window)|maximum context|too many (input )?tokens|(prompt|input|request) is too long|input token count .{0,40}exceeds|exceeds? the (maximum|max|model's) .{0,24}tokens/i;
const refused =
  /content.?(policy|management|filter)|safety (system|settings|filter)|responsible.?ai|prohibited.?content/i;
/** Addresses that only exist in the operator's network, or carry a port; documentation links stay. */
const innerAddress =
  /\b(?:https?:\/\/)(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|[\w.-]+:\d+|[\w-]+(?=[/\s"']|$)|[\w.-]+\.(?:internal|local|lan))[^\s"')]*/gi;
const stack = /\n[ \t]{1,40}at |Traceback \(most recent/;
const MAX_MESSAGE = 2000;
/** Characters of which a message is made; addresses and stacks that are left out shorten it. */
const MAX_READ = 5 * MAX_MESSAGE;

/**
 * A provider's error answer as ours. The provider's own message, status, `param` and `retry-after` are kept; keys,
 * inner addresses and stacks are not.
 */
export function providerError(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): GatewayError {
  const said = readErrorBody(body);
  const message = publicMessage(said.message) ?? `The provider answered with status ${status}`;
  const retryAfter = retryAfterSeconds(headers, Date.now()) ?? retryDelay(said.details);
  // A provider must not tell the caller to look elsewhere, and a success is no error.
  const shown = status >= 400 && status <= 599 ? status : 502;
  return new GatewayError(shown, errorType(shown, said), message, {
    ...defined({
      param: said.param,
      retryAfter,
      providerCode: providerCode(shown, said),
      details: publicDetails(said.details),
    }),
    cause: { status, body: redact(body.slice(0, MAX_MESSAGE)) },
  });
}

/** Codes that the provider's own client acts on, such as Anthropic's `thread_not_found`; nothing long or secret. */
function publicDetails(details: ErrorBody["details"]): ErrorBody["details"] {
  if (details === undefined) return undefined;
  const text = JSON.stringify(details);
  return text.length <= MAX_MESSAGE && redact(text) === text ? details : undefined;
}

/** Google says when to try again in the body (google.rpc.RetryInfo). */
function retryDelay(details: ErrorBody["details"]): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const { retryDelay: delay } of details as readonly JsonObject[]) {
    const seconds =
      typeof delay === "string" && /^\d+(?:\.\d+)?s$/.test(delay) ? parseFloat(delay) : undefined;
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

/** A provider's sentence without what must stay inside. */
function publicMessage(message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  const start = message.slice(0, MAX_READ);
  const end = start.search(stack);
  const plain = redact(end < 0 ? start : start.slice(0, end)).replace(innerAddress, "[address]");
  return plain.trim().slice(0, MAX_MESSAGE) || undefined;
}

function errorType(status: number, said: ErrorBody): ErrorType {
  if (said.type === "overloaded_error") return "overloaded_error";
  return types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

function providerCode(status: number, said: ErrorBody): string | undefined {
  const code = said.code ?? said.type;
  if (status !== 400 && status !== 413 && status !== 422) return code;
  const words = `${said.code ?? ""} ${said.message ?? ""}`.slice(0, MAX_READ);
  if (tooLong.test(words)) return CONTEXT_WINDOW_CODE;
  if (refused.test(words)) return CONTENT_POLICY_CODE;
  return code;
}

/** What a provider's error answer says. */
interface ErrorBody {
  readonly message: string | undefined;
  readonly type: string | undefined;
  readonly param: string | undefined;
  readonly code: string | undefined;
  /** Anthropic's `details`, an object; Google's, a list. */
  readonly details: JsonObject | readonly JsonObject[] | undefined;
}

const nothing: ErrorBody = {
  message: undefined,
  type: undefined,
  param: undefined,
  code: undefined,
  details: undefined,
};

/**
 * Reads the shapes that providers use: `{error: {message, type, param, code}}` (OpenAI, Azure, Anthropic),
 * `{error: {message, status, details}}` or a list of one (Google), `{error: "..."}`, `{message}` and `{detail}`
 * (hosts built on FastAPI).
 */
function readErrorBody(body: string): ErrorBody {
  const value = parseJson(body);
  const outer = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(outer)) return nothing;
  const { error } = outer;
  if (typeof error === "string") return { ...nothing, message: error };
  return readMembers(isJsonObject(error) ? error : outer);
}

function readMembers(error: JsonObject): ErrorBody {
  return {
    message: filledText(error.message) ?? filledText(error.detail) ?? detailMessage(error.detail),
    type: filledText(error.type) ?? filledText(error.status),
    param: filledText(error.param),
    code: filledText(error.code) ?? innerCode(error),
    details: isJsonObject(error.details) ? error.details : objectsIn(error.details),
  };
}

function objectsIn(value: unknown): readonly JsonObject[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject) ? value : undefined;
}

// Azure names a refused prompt one level deeper.
function innerCode(error: JsonObject): string | undefined {
  const inner = error.innererror ?? error.inner_error;
  return isJsonObject(inner) ? filledText(inner.code) : undefined;
}

function detailMessage(detail: unknown): string | undefined {
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  return isJsonObject(first)
    ? (filledText(first.msg) ?? filledText(first.message) ?? filledText(first.error))
    : undefined;
}
