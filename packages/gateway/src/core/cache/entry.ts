import { isUtf8 } from "node:buffer";
import type { CallRecord } from "../../contract/call-record.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { WholeAnswer } from "../call/answer.ts";

const VERSION = 1;

/** An answer as the cache keeps it, in the caller's format and before post-call hooks. */
export interface Entry {
  readonly version: typeof VERSION;
  readonly kind: "whole" | "stream";
  /** JSON of a whole answer, the events of a stream. */
  readonly text: string;
  readonly contentType: string;
  /** The `stream_options` that the stream answers to. */
  readonly streamOptions: unknown;
  /** What the call used. */
  readonly usage: Usage | undefined;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  /** Who answered. */
  readonly deploymentId: string;
  readonly model: string;
  readonly provider: string;
  readonly apiBase: string | undefined;
  readonly native: boolean;
}

/** Characters of the largest answer that is kept. */
export const MAX_ENTRY_CHARACTERS = 8 * 1024 * 1024;

/** The entry of a text in a store; `undefined` for one that this version did not write. */
export function parseEntry(text: string): Entry | undefined {
  const entry = parseJsonObject(text);
  return entry?.version === VERSION && typeof entry.text === "string"
    ? (entry as unknown as Entry)
    : undefined;
}

/** An entry of a call whose deployment is known. */
export function newEntry(
  record: CallRecord,
  members: Pick<Entry, "kind" | "text" | "contentType" | "streamOptions" | "usage">,
): Entry | undefined {
  const { deployment, provider, apiBase, native } = record;
  if (deployment === undefined || members.text.length > MAX_ENTRY_CHARACTERS) return undefined;
  return {
    version: VERSION,
    ...members,
    storedAt: Date.now(),
    deploymentId: deployment.id,
    model: deployment.model,
    provider: provider ?? deployment.provider,
    apiBase,
    native,
  };
}

/** The text of a whole answer that another call may get; `undefined` for one that is not worth keeping. */
export function textToKeep({ body }: WholeAnswer, format: WireFormat): string | undefined {
  if (Buffer.isBuffer(body)) {
    if (body.length > MAX_ENTRY_CHARACTERS || !isUtf8(body)) return undefined;
    const text = body.toString("utf8");
    const answer = parseJsonObject(text);
    return answer !== undefined && isComplete(answer, format) ? text : undefined;
  }
  return isComplete(body, format) ? JSON.stringify(body) : undefined;
}

/** Providers answer 200 also for a response that failed or that is still being made. */
function isComplete(answer: JsonObject, format: WireFormat): boolean {
  if (isJsonObject(answer.error)) return false;
  return format !== "responses" || answer.status === "completed";
}
