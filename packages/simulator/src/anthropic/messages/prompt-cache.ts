import { createHash } from "node:crypto";
import { countTokens } from "../../answers/tokens.ts";
import { type JsonObject, type JsonValue, objectOf, objectsIn, stringOf } from "../../util/json.ts";
import { blocksOf, tokensOfBlock } from "./block-text.ts";

const MAX_PREFIXES = 10_000;

/** How a prompt's tokens divide between fresh, written to the cache and read from it. */
export interface CachedInput {
  readonly fresh: number;
  readonly written: number;
  readonly writtenForAnHour: number;
  readonly read: number;
}

interface Segment {
  readonly text: string;
  readonly tokens: number;
  readonly lifetime: string | undefined;
}

/**
 * Remembers prompt prefixes that end in a `cache_control` mark. A prefix is written the first time and read
 * when it comes again; Anthropic's least size and lifetime do not apply here.
 */
export class PromptCache {
  #prefixes = new Set<string>();

  /** Divides a request's input tokens and remembers its marked prefixes. */
  use(body: JsonObject, messages: readonly JsonObject[]): CachedInput {
    const segments = segmentsOf(body, messages);
    const total = segments.reduce((sum, segment) => sum + segment.tokens, 0);
    if (!segments.some((segment) => segment.lifetime !== undefined)) {
      return { fresh: total, written: 0, writtenForAnHour: 0, read: 0 };
    }
    const hash = createHash("sha256").update(stringOf(body.model) ?? "");
    let tokens = 0;
    let marked = 0;
    let read = 0;
    let hour = false;
    for (const segment of segments) {
      hash.update(segment.text);
      tokens += segment.tokens;
      if (segment.lifetime === undefined) continue;
      const prefix = hash.copy().digest("base64");
      if (this.#prefixes.has(prefix)) read = tokens;
      else this.#remember(prefix);
      marked = tokens;
      hour = segment.lifetime === "1h";
    }
    const written = marked - read;
    return { fresh: total - marked, written, writtenForAnHour: hour ? written : 0, read };
  }

  clear(): void {
    this.#prefixes.clear();
  }

  #remember(prefix: string): void {
    if (this.#prefixes.size >= MAX_PREFIXES) this.#prefixes.clear();
    this.#prefixes.add(prefix);
  }
}

/** Input tokens of a request: tools, system prompt and messages. */
export function inputTokensOf(body: JsonObject, messages: readonly JsonObject[]): number {
  return segmentsOf(body, messages).reduce((sum, segment) => sum + segment.tokens, 0);
}

// The cache sees a prompt as tools, then system, then messages, whatever the order in the body.
function segmentsOf(body: JsonObject, messages: readonly JsonObject[]): Segment[] {
  const tools = objectsIn(body.tools).map((tool) => segment(tool, countTokens(bare(tool))));
  const system = blocksOf(body.system).map((block) => segment(block, tokensOfBlock(block)));
  const spoken = messages.flatMap((message) =>
    blocksOf(message.content).map((block) => segment(block, tokensOfBlock(block), stringOf(message.role))),
  );
  return [...tools, ...system, ...spoken];
}

function segment(block: JsonObject, tokens: number, role = ""): Segment {
  const mark = block.cache_control;
  return { text: `${role}${bare(block)}`, tokens, lifetime: lifetimeOf(mark) };
}

function lifetimeOf(mark: JsonValue | undefined): string | undefined {
  return objectOf(mark).type === "ephemeral" ? (stringOf(objectOf(mark).ttl) ?? "5m") : undefined;
}

function bare(block: JsonObject): string {
  const { cache_control: _mark, ...rest } = block;
  return JSON.stringify(rest);
}
