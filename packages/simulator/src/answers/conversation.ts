import type { JsonValue } from "../util/json.ts";
import type { Directives } from "./directives.ts";

/** A tool that the caller offers. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: JsonValue | undefined;
}

/** Which tools the answer may or must call. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** The shape the answer's text must have: any JSON object, or JSON of a schema. */
export type TextShape = { readonly kind: "json" } | { readonly kind: "schema"; readonly schema: JsonValue };

/** What an answer follows from, the same for every provider's request. */
export interface Conversation {
  readonly model: string;
  /** Directives in the last text a user wrote, and that text without them. */
  readonly directives: Directives;
  /** What the system or the developer says. */
  readonly instructions?: string;
  /** Texts of the tool results that end the conversation; empty when a user's text ends it. */
  readonly toolResults: readonly string[];
  readonly tools: readonly OfferedTool[];
  readonly toolChoice: ToolChoice;
  readonly parallelTools: boolean;
  /** Whether the request offers the provider's own search in the web. */
  readonly searches?: boolean;
  readonly inputTokens: number;
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
  readonly shape: TextShape | undefined;
  /** Whether the caller switched thinking on. */
  readonly thinking: boolean;
  /** Tokens of hidden reasoning, charged as output. */
  readonly reasoningTokens: number;
}
