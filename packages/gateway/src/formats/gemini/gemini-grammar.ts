import type { StreamGrammar } from "../../contract/dialect.ts";
import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { readGeminiUsage } from "./usage.ts";

/**
 * A stream of `GenerateContentResponse`s. It has no end mark: it is complete when each candidate that appeared has a
 * reason to be finished, or when the prompt was blocked. Usage may come after that.
 */
export class GeminiGrammar implements StreamGrammar {
  readonly endsWithSource = true;
  failed = false;
  hasContent = false;
  outputCharacters = 0;
  #isBlocked = false;
  /** Whether a candidate is finished, by its index. */
  readonly #finished = new Map<unknown, boolean>();
  #usage: Usage | undefined;

  get isComplete(): boolean {
    if (this.failed) return false;
    return this.#isBlocked || (this.#finished.size > 0 && [...this.#finished.values()].every(Boolean));
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  accept(event: string | undefined, data: string): string | undefined {
    if (this.failed) return "an event came after the end";
    const body = parseJsonObject(data);
    return body === undefined ? "an event's data is not a JSON object" : this.check(event, body);
  }

  check(_event: string | undefined, body: JsonObject): string | undefined {
    if (this.failed) return "an event came after the end";
    if (body.error !== undefined) {
      this.failed = true;
      return undefined;
    }
    const { candidates, promptFeedback, usageMetadata } = body;
    if (candidates === undefined && promptFeedback === undefined && usageMetadata === undefined)
      return "a chunk has neither candidates nor a prompt's feedback nor usage";
    this.#usage = readGeminiUsage(usageMetadata) ?? this.#usage;
    if (typeof objectOf(promptFeedback).blockReason === "string") {
      this.#isBlocked = true;
      this.hasContent = true;
    }
    if (candidates === undefined) return undefined;
    if (!Array.isArray(candidates)) return "a chunk's candidates are no list";
    for (const candidate of candidates) {
      const wrong = isJsonObject(candidate) ? this.#candidate(candidate) : "a candidate is no object";
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #candidate(candidate: JsonObject): string | undefined {
    const { content, finishReason, index = 0 } = candidate;
    const isFinished = typeof finishReason === "string" && finishReason !== "FINISH_REASON_UNSPECIFIED";
    if (isFinished) this.hasContent = true;
    // Models of the first generation give a reason with every chunk.
    this.#finished.set(index, isFinished || this.#finished.get(index) === true);
    if (content === undefined || content === null) return undefined;
    if (!isJsonObject(content)) return "a candidate's content is no object";
    const { parts = [] } = content;
    if (!Array.isArray(parts)) return "a content's parts are no list";
    for (const part of parts) {
      if (!isJsonObject(part)) return "a part is no object";
      this.#part(part);
    }
    return undefined;
  }

  #part({ text, thoughtSignature: _, thought: __, ...data }: JsonObject): void {
    if (typeof text === "string" && text !== "") {
      this.hasContent = true;
      this.outputCharacters += text.length;
    }
    if (Object.keys(data).length === 0) return;
    this.hasContent = true;
    if (data.functionCall !== undefined) this.outputCharacters += JSON.stringify(data.functionCall).length;
  }
}
