import type { IncomingHttpHeaders } from "node:http";
import type { GatewayError } from "../contract/errors.ts";
import type { Family } from "../contract/wire-format.ts";
import { headerValue, type ResponseHeaders } from "../platform/transport/headers.ts";

const prefixes: Readonly<Record<Family, string>> = {
  openai: "x-ratelimit-",
  anthropic: "anthropic-ratelimit-",
  // Google has none of its own; its clients read none.
  google: "x-ratelimit-",
};
const requestIds = ["x-request-id", "request-id", "openai-processing-ms"] as const;
const figures = ["limit", "remaining", "reset"] as const;
const subjects = ["requests", "tokens"] as const;

/**
 * The upstream's headers that callers rely on: rate limits and `retry-after`, in the words of the caller's family, and
 * the provider's request id for its support.
 */
export function callerHeaders(upstream: ResponseHeaders, family: Family): Record<string, string> {
  const headers: Record<string, string> = {};
  const retryAfter = headerValue(upstream, "retry-after");
  if (retryAfter !== undefined) headers["retry-after"] = retryAfter;
  for (const name of requestIds) {
    const value = headerValue(upstream, name);
    if (value !== undefined) headers[name] = value;
  }
  const foreign = prefixes[family === "anthropic" ? "openai" : "anthropic"];
  let translate = false;
  for (const name in upstream) {
    if (name.startsWith(prefixes[family])) headers[name] = headerValue(upstream, name)!;
    else if (name.startsWith(foreign)) translate = true;
  }
  if (translate) addTranslated(headers, upstream, family);
  return headers;
}

/** The error with further headers; its own win. */
export function withHeaders(error: GatewayError, headers: Readonly<Record<string, string>>): GatewayError {
  return Object.keys(headers).length === 0 ? error : error.with({ headers });
}

function addTranslated(headers: Record<string, string>, upstream: ResponseHeaders, family: Family): void {
  for (const subject of subjects) {
    for (const figure of figures) {
      const theirs = family === "anthropic" ? openaiName(figure, subject) : anthropicName(figure, subject);
      const ours = family === "anthropic" ? anthropicName(figure, subject) : openaiName(figure, subject);
      const value = headerValue(upstream, theirs);
      if (value === undefined || headers[ours] !== undefined) continue;
      const translated = figure === "reset" ? translateReset(value, family) : value;
      if (translated !== undefined) headers[ours] = translated;
    }
  }
}

function openaiName(figure: string, subject: string): string {
  return `x-ratelimit-${figure}-${subject}`;
}

function anthropicName(figure: string, subject: string): string {
  return `anthropic-ratelimit-${subject}-${figure}`;
}

/** OpenAI writes a duration (`6m0s`, `20ms`), Anthropic a time (RFC 3339). */
function translateReset(value: string, family: Family): string | undefined {
  if (family !== "anthropic") {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : `${Math.max(0, Math.ceil((time - Date.now()) / 1000))}s`;
  }
  const seconds = durationSeconds(value);
  return seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000).toISOString();
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

function durationSeconds(value: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(value)) return undefined;
  return [...value.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * unitSeconds[unit!]!,
    0,
  );
}

/**
 * The headers with which a caller's format says what it wants, for a provider of the same format: OpenAI's, and all of
 * Anthropic's, which gains some with new capabilities (Claude Code, "Gateway protocol reference": open lists).
 */
export function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string" && isProtocolHeader(name)) found[name] = value;
  }
  return found;
}

/** Whether a header, in small letters, belongs to a format's protocol. */
export function isProtocolHeader(name: string): boolean {
  return name.startsWith("anthropic-") || name === "openai-beta";
}
