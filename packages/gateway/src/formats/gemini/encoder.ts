import type { LanguageModelV3Content, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { AnswerContext, EventCheck, StreamEncoder } from "../../contract/dialect.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { endOf, writeGeminiFinishReason } from "../answer-members.ts";
import { AlikeEvents, dataEvent } from "../sse-event.ts";
import { searchedFor } from "../tools/web-search.ts";
import { fromNeutralUsage } from "../usage.ts";
import { geminiErrorBody } from "./error-body.ts";
import { answerNames, signed, writeCall, writeFile, writeSources } from "./from-result.ts";
import { packCallSignature, packThoughtSignature } from "./thought-signature.ts";
import { writeGeminiUsage } from "./usage.ts";

type FinishPart = Extract<LanguageModelV3StreamPart, { type: "finish" }>;
type SourcePart = Extract<LanguageModelV3Content, { type: "source" }>;

/** Neutral parts as chunks of `streamGenerateContent`, each an answer of its own; a call comes in one piece. */
export class GeminiEncoder implements StreamEncoder {
  readonly #names: JsonObject;
  readonly #check: EventCheck;
  /** Arguments of calls whose host sends them in pieces, by id, until the whole call comes. */
  readonly #inputs = new Map<string, { readonly name: string; text: string }>();
  readonly #queries: string[] = [];
  readonly #sources: SourcePart[] = [];
  /** Texts and thoughts that are not signed. */
  readonly #texts = new Map<boolean, AlikeEvents>();
  #usage: Usage | undefined;

  constructor(context: AnswerContext, check: EventCheck) {
    this.#check = check;
    this.#names = answerNames(context);
  }

  push(part: LanguageModelV3StreamPart): string {
    switch (part.type) {
      case "text-delta":
        return this.#text(part.delta, false, packThoughtSignature(part.providerMetadata));
      case "text-end":
        return this.#text("", false, packThoughtSignature(part.providerMetadata));
      case "reasoning-delta":
        return this.#text(part.delta, true, packThoughtSignature(part.providerMetadata));
      case "reasoning-start":
      case "reasoning-end":
        return this.#text("", true, packThoughtSignature(part.providerMetadata));
      case "tool-input-start":
        if (part.providerExecuted !== true) this.#inputs.set(part.id, { name: part.toolName, text: "" });
        return "";
      case "tool-input-delta": {
        const input = this.#inputs.get(part.id);
        if (input !== undefined) input.text += part.delta;
        return "";
      }
      case "tool-call":
        this.#inputs.delete(part.toolCallId);
        if (part.providerExecuted === true) {
          const query = searchedFor(part);
          if (query !== undefined) this.#queries.push(query);
          return "";
        }
        return this.#part(
          writeCall(part.toolCallId, part.toolName, part.input, packCallSignature(part.providerMetadata)),
        );
      case "file":
        return this.#part(writeFile(part));
      case "source":
        this.#sources.push(part);
        return "";
      case "finish":
        return this.#finish(part);
      default:
        return "";
    }
  }

  /** Google's answers begin with their first part. */
  begin(): string {
    return "";
  }

  fail(error: GatewayError): string {
    return dataEvent(geminiErrorBody(error));
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  #text(text: string, thought: boolean, signature: string | undefined): string {
    if (text === "" && signature === undefined) return "";
    if (signature !== undefined)
      return this.#part({ text, ...(thought ? { thought } : {}), ...signed(signature) });
    let texts = this.#texts.get(thought);
    if (texts === undefined) {
      const part: JsonObject = { text: "", ...(thought ? { thought } : {}) };
      texts = new AlikeEvents(undefined, this.#chunkOf(candidateOf(part)), part, "text");
      this.#texts.set(thought, texts);
    }
    return texts.next(text, this.#check);
  }

  #part(part: JsonObject): string {
    return this.#chunk(candidateOf(part));
  }

  #chunk(candidate: JsonObject, usage?: JsonObject): string {
    const chunk = this.#chunkOf(candidate, usage);
    this.#check(undefined, chunk);
    return dataEvent(chunk);
  }

  #chunkOf(candidate: JsonObject, usage?: JsonObject): JsonObject {
    return {
      candidates: [candidate],
      ...(usage === undefined ? {} : { usageMetadata: usage }),
      ...this.#names,
    };
  }

  #finish(part: FinishPart): string {
    this.#usage = fromNeutralUsage(part.usage);
    let before = "";
    for (const [id, { name, text }] of this.#inputs)
      before += this.#part(writeCall(id, name, text, packCallSignature(undefined)));
    const candidate = {
      content: { parts: [{ text: "" }], role: "model" },
      finishReason: writeGeminiFinishReason(endOf(part)),
      index: 0,
      ...writeSources(this.#sources, this.#queries),
    };
    return before + this.#chunk(candidate, writeGeminiUsage(this.#usage));
  }
}

function candidateOf(part: JsonObject): JsonObject {
  return { content: { parts: [part], role: "model" }, index: 0 };
}
