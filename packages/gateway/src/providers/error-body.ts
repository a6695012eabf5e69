import { isJsonObject, type JsonObject } from "../contract/json.ts";

/** What a provider's error answer says. */
export interface ErrorBody {
  readonly message: string | undefined;
  readonly type: string | undefined;
  readonly param: string | undefined;
  readonly code: string | undefined;
  /** Anthropic's `details`; Google's are a list for people. */
  readonly details: JsonObject | undefined;
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
export function readErrorBody(body: string): ErrorBody {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return nothing;
  }
  const outer = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(outer)) return nothing;
  const { error } = outer;
  if (typeof error === "string") return { ...nothing, message: error };
  return readMembers(isJsonObject(error) ? error : outer);
}

function readMembers(error: JsonObject): ErrorBody {
  return {
    message: text(error.message) ?? text(error.detail) ?? detailMessage(error.detail),
    type: text(error.type) ?? text(error.status),
    param: text(error.param),
    code: text(error.code) ?? innerCode(error),
    details: isJsonObject(error.details) ? error.details : undefined,
  };
}

// Azure names a refused prompt one level deeper.
function innerCode(error: JsonObject): string | undefined {
  const inner = error.innererror ?? error.inner_error;
  return isJsonObject(inner) ? text(inner.code) : undefined;
}

function detailMessage(detail: unknown): string | undefined {
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  return isJsonObject(first) ? (text(first.msg) ?? text(first.message) ?? text(first.error)) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
