import type { IncomingHttpHeaders } from "node:http";
import type { CallNotes } from "../../contract/call-record.ts";
import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import { redact } from "../../platform/log/redact.ts";

/** Tools and labels of one call that are noted, and characters of a name and of a label. */
const MAX_TOOLS = 50;
const MAX_LABELS = 16;
const MAX_NAME = 64;
const MAX_LABEL = 200;
/** Messages that are looked at from the end for the turn of the model's. */
const MAX_MESSAGES = 100;

/** LiteLLM's header of labels, a JSON object. */
export const LABELS_HEADER = "x-litellm-spend-logs-metadata";
/** Labels that the spend log has columns for. */
const APART: ReadonlySet<string> = new Set(["user_id", "session_id", "tags"]);

/**
 * What a request tells of itself: the tools that ran before it, which stand as calls in the model's last turn, and the
 * caller's labels (`metadata` and `litellm_metadata`; LiteLLM's `spend_logs_metadata` within, or in its header).
 * @returns `undefined` where there is nothing
 */
export function callNotes(data: JsonObject, headers: IncomingHttpHeaders = {}): CallNotes | undefined {
  const tools = toolsOfLastTurn(data);
  const { user: _customer, ...ofLitellm } = objectOf(data.litellm_metadata);
  const metadata = labelsOf([objectOf(data.metadata), ofLitellm], headers[LABELS_HEADER]);
  return tools.length === 0 && Object.keys(metadata).length === 0 ? undefined : { tools, metadata };
}

function toolsOfLastTurn({ messages, contents, input }: JsonObject): string[] {
  const turns = [messages, contents, input].find(Array.isArray) ?? [];
  let names: string[] = [];
  for (let at = turns.length - 1; at >= Math.max(0, turns.length - MAX_MESSAGES); at -= 1) {
    const turn: unknown = turns[at];
    if (!isJsonObject(turn)) continue;
    const isModels = turn.role === "assistant" || turn.role === "model";
    // In Responses the calls are items beside messages, and end where the model or its user speaks.
    names = [...callsIn(turn), ...names];
    if (isModels || (turns === input && typeof turn.role === "string")) break;
  }
  return names.slice(-MAX_TOOLS).map((name) => shown(name, MAX_NAME));
}

/** Names of the tools that a message, or an item of Responses, calls. */
function callsIn(turn: JsonObject): string[] {
  const { type, content, tool_calls: calls, parts } = turn;
  const all = [turn, ...[content, calls, parts].filter(Array.isArray).flat()].filter(isJsonObject);
  return all.flatMap((part) => {
    const called = [part.function, part.custom, part.functionCall].find(isJsonObject);
    const isCall = called !== undefined || (typeof part.type === "string" && callType.test(part.type));
    const name = called?.name ?? part.name ?? (part === turn ? type : part.type);
    return isCall && typeof name === "string" ? [name] : [];
  });
}

/** Calls by the names of Messages (`tool_use`) and Responses (`function_call`, `local_shell_call`). */
const callType = /^(?:\w+_)?(?:tool_use|call)$/;

function labelsOf(given: readonly JsonObject[], header: unknown): CallNotes["metadata"] {
  const logged = given.map((metadata) => objectOf(metadata.spend_logs_metadata));
  const inHeader = typeof header === "string" ? (parseJsonObject(header) ?? {}) : {};
  const labels: [string, string | number | boolean][] = [];
  for (const [name, value] of [...given, ...logged, inHeader].flatMap((all) => Object.entries(all))) {
    if (labels.length === MAX_LABELS) break;
    if (APART.has(name) || name === "__proto__" || name.length > MAX_NAME) continue;
    if (typeof value === "string") labels.push([shown(name, MAX_NAME), shownLabel(name, value)]);
    else if (typeof value === "number" || typeof value === "boolean")
      labels.push([shown(name, MAX_NAME), value]);
  }
  return Object.fromEntries(labels);
}

/** The caller may have put a key anywhere, and what is cut off must not keep the half of one from being seen. */
function shown(text: string, length: number): string {
  return redact(text.slice(0, 2 * length))
    .slice(0, length)
    .toWellFormed();
}

function shownLabel(name: string, value: string): string {
  const isSecret = redact(`${name}="-"`) !== `${redact(name)}="-"`;
  return isSecret ? "***" : shown(value, MAX_LABEL);
}
