import { type Behaviour, behaviourFrom, plainBehaviour } from "../faults/behaviour.ts";
import { type JsonObject, parseObject } from "../util/json.ts";

/** A tool call that a directive asks for; without arguments they are made from the tool's schema. */
interface DirectedCall {
  readonly name: string;
  readonly input?: JsonObject;
}

/** What the `[[sim:...]]` notes in a user's text ask for. */
export interface Directives {
  /** The text without the notes. */
  readonly text: string;
  readonly behaviour: Behaviour;
  readonly calls: readonly DirectedCall[];
  readonly say?: string;
  /** What is to be searched for in the web, where the request offers that. */
  readonly search?: string;
  /** The service tier that serves the call, whatever the request asks for. */
  readonly tier?: string;
  /** Bare notes such as `think`, `refuse`, `parallel`, `context-window`, `content-policy`. */
  readonly flags: ReadonlySet<string>;
}

const OPENING = "[[sim:";
const noFlags: ReadonlySet<string> = new Set();
const behaviourNames: ReadonlyMap<string, keyof Behaviour> = new Map([
  ["fault", "fault"],
  ["tokens", "tokens"],
  ["ttft", "ttftMs"],
  ["latency", "latencyMs"],
  ["delay", "chunkDelayMs"],
  ["chunk-bytes", "chunkBytes"],
]);

/** Finds and removes the directives in a text. */
export function readDirectives(text: string): Directives {
  if (!text.includes(OPENING)) {
    return { text, behaviour: plainBehaviour, calls: [], flags: noFlags };
  }
  const settings: Record<string, unknown> = {};
  const calls: DirectedCall[] = [];
  const flags = new Set<string>();
  const words: { say?: string; search?: string; tier?: string } = {};
  let rest = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(OPENING, from);
    const end = start < 0 ? -1 : closing(text, start + OPENING.length);
    if (end < 0) break;
    rest += text.slice(from, start);
    from = end + 2;
    const [name, value] = splitName(text.slice(start + OPENING.length, end));
    const setting = behaviourNames.get(name);
    if (setting !== undefined) settings[setting] = value;
    else if (name === "tool") calls.push(directedCall(value));
    else if (name === "say" || name === "search" || name === "tier") words[name] = value;
    else flags.add(name);
  }
  rest += text.slice(from);
  return { text: rest.trim(), behaviour: behaviourFrom(settings), calls, flags, ...words };
}

// Arguments may hold `]]` themselves, so a note with JSON ends where that JSON is complete.
function closing(text: string, from: number): number {
  for (let end = text.indexOf("]]", from); end >= 0; end = text.indexOf("]]", end + 1)) {
    const inner = text.slice(from, end);
    const brace = inner.indexOf("{");
    if (!inner.startsWith("tool ") || brace < 0 || parseObject(inner.slice(brace)) !== undefined) return end;
  }
  return -1;
}

function directedCall(text: string): DirectedCall {
  const [name, input] = splitName(text);
  const parsed = input === "" ? undefined : parseObject(input);
  return parsed === undefined ? { name } : { name, input: parsed };
}

function splitName(text: string): [string, string] {
  const trimmed = text.trim();
  const at = trimmed.search(/\s/);
  return at < 0 ? [trimmed, ""] : [trimmed.slice(0, at), trimmed.slice(at + 1).trim()];
}
