import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject } from "../../contract/json.ts";
import type { Provider, UpstreamAddress } from "../../contract/provider.ts";
import { type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { UpstreamRequest } from "../../platform/transport/upstream.ts";
import { editMembers } from "../../util/json-span.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import type { Target } from "../routing/resolve-model.ts";
import { callTimeouts } from "./call-timeouts.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { requestChanges } from "./request-changes.ts";

/** Paths of the formats below a provider's base address. */
export const nativePaths: Readonly<Record<WireFormat, UpstreamPath>> = {
  chat: upstreamPath`/chat/completions`,
  messages: upstreamPath`/messages`,
  responses: upstreamPath`/responses`,
  embeddings: upstreamPath`/embeddings`,
};

/** Protocol headers of the caller that a provider of the same format gets to see. */
const forwarded = ["anthropic-beta", "anthropic-version", "openai-beta"] as const;

const modelMember = Buffer.from('"model"');
/** How every letter of ASCII begins that is written as an escape. */
const escapedLetter = Buffer.from("\\u00");

/** A request to a provider that speaks the caller's format, and what was added to it. */
export interface NativeRequest {
  readonly request: UpstreamRequest;
  readonly address: UpstreamAddress;
  /** The gateway asked for the usage chunk, the caller did not. */
  readonly hidesUsage: boolean;
}

/** The caller's request as the provider gets it: the same bytes but for the model's name and what must change. */
export function nativeRequest(
  prepared: PreparedCall,
  target: Target,
  provider: Provider,
  signal: CallSignal,
): NativeRequest {
  const { call, stream } = prepared;
  const operation = { method: "POST", path: nativePaths[call.format], model: target.model };
  const address = provider.address(target.deployment, operation);
  const mayAsk = call.format === "chat" && stream && provider.refusesStreamOptions !== true;
  const hidesUsage = mayAsk && !asksForUsage(prepared);
  return {
    request: {
      url: address.url,
      method: "POST",
      headers: nativeHeaders(call.headers, address, prepared, target),
      body: nativeBody(prepared, target, hidesUsage),
      timeouts: callTimeouts(prepared, target.deployment),
      signal,
    },
    address,
    hidesUsage,
  };
}

function asksForUsage({ data }: PreparedCall): boolean {
  return isJsonObject(data.stream_options) && data.stream_options.include_usage === true;
}

function nativeHeaders(
  caller: IncomingHttpHeaders,
  address: UpstreamAddress,
  { stream }: PreparedCall,
  { deployment }: Target,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: stream ? "text/event-stream" : "application/json",
    ...address.headers,
  };
  for (const name of forwarded) {
    const value = caller[name];
    if (typeof value === "string") headers[name] = value;
  }
  return addExtraHeaders(headers, deployment.params.extra_headers);
}

/** Adds a deployment's `extra_headers`. */
export function addExtraHeaders(headers: Record<string, string>, extra: unknown): Record<string, string> {
  if (isJsonObject(extra)) {
    for (const [name, value] of Object.entries(extra)) {
      if (typeof value === "string" || typeof value === "number") headers[name.toLowerCase()] = String(value);
    }
  }
  return headers;
}

function nativeBody(prepared: PreparedCall, target: Target, addsUsage: boolean): Buffer {
  const { raw, data, call } = prepared;
  const changes = requestChanges(prepared, target, true);
  if (addsUsage) {
    const options = isJsonObject(data.stream_options) ? data.stream_options : {};
    changes.set("stream_options", { ...options, include_usage: true });
  }
  const current = raw === undefined ? data.model : call.body.model;
  if (current !== target.model || (raw !== undefined && mayRepeatModel(raw)))
    changes.set("model", target.model);
  if (raw === undefined)
    return Buffer.from(JSON.stringify(Object.assign({ ...data }, Object.fromEntries(changes))));
  if (changes.size === 0) return raw;
  const texts = new Map<string, string | undefined>();
  for (const [name, value] of changes)
    texts.set(name, value === undefined ? undefined : JSON.stringify(value));
  return editMembers(raw, texts);
}

/**
 * Whether the text may name the model twice: a provider that reads the first of them would serve another model than
 * the one that was checked.
 */
function mayRepeatModel(raw: Buffer): boolean {
  return raw.indexOf(modelMember) !== raw.lastIndexOf(modelMember) || raw.includes(escapedLetter);
}
