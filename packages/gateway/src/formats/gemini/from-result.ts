import type { LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import type { AnswerContext } from "../../contract/dialect.ts";
import type { JsonObject } from "../../contract/json.ts";
import { answerId, endOf, writeGeminiFinishReason } from "../answer-members.ts";
import { toolInputObject } from "../fields.ts";
import { searchedFor } from "../tools/web-search.ts";
import { fromNeutralUsage } from "../usage.ts";
import { packCallSignature, packThoughtSignature } from "./thought-signature.ts";
import { writeGeminiUsage } from "./usage.ts";

type FilePart = Extract<LanguageModelV3Content, { type: "file" }>;
type SourcePart = Extract<LanguageModelV3Content, { type: "source" }>;

/** A neutral result as a `GenerateContentResponse`. */
export function geminiFromResult(result: LanguageModelV3GenerateResult, context: AnswerContext): JsonObject {
  const parts = result.content.flatMap(writePart);
  const sources = result.content.filter((part) => part.type === "source");
  const queries = result.content
    .map((part) => (part.type === "tool-call" ? searchedFor(part) : undefined))
    .filter((query) => query !== undefined);
  return {
    candidates: [
      {
        content: { parts: parts.length === 0 ? [{ text: "" }] : parts, role: "model" },
        finishReason: writeGeminiFinishReason(endOf(result)),
        index: 0,
        ...writeSources(sources, queries),
      },
    ],
    usageMetadata: writeGeminiUsage(fromNeutralUsage(result.usage)),
    ...answerNames(context),
  };
}

/** What each chunk and whole answer says of itself. */
export function answerNames({ model, callId }: AnswerContext): JsonObject {
  return { modelVersion: model, responseId: answerId("", callId) };
}

function writePart(part: LanguageModelV3Content): JsonObject[] {
  switch (part.type) {
    case "text":
      return part.text === ""
        ? []
        : [{ text: part.text, ...signed(packThoughtSignature(part.providerMetadata)) }];
    case "reasoning":
      return [{ text: part.text, thought: true, ...signed(packThoughtSignature(part.providerMetadata)) }];
    case "tool-call":
      if (part.providerExecuted === true) return [];
      return [
        writeCall(part.toolCallId, part.toolName, part.input, packCallSignature(part.providerMetadata)),
      ];
    case "file":
      return [writeFile(part)];
    default:
      return [];
  }
}

/** A signature as a member to spread into a part; none where there is none. */
export function signed(thoughtSignature: string | undefined): { thoughtSignature?: string } {
  return thoughtSignature === undefined ? {} : { thoughtSignature };
}

/** A call of a function as a part. */
export function writeCall(id: string, name: string, input: string, signature: string): JsonObject {
  return { functionCall: { id, name, args: toolInputObject(input) }, thoughtSignature: signature };
}

/** A picture or file that the model made, as a part. */
export function writeFile({ data, mediaType }: FilePart): JsonObject {
  const base64 = typeof data === "string" ? data : Buffer.from(data).toString("base64");
  return { inlineData: { mimeType: mediaType, data: base64 } };
}

/** Pages that the answer rests on, and what was searched for, as Google's grounding; none where there are none. */
export function writeSources(
  sources: readonly SourcePart[],
  queries: readonly string[],
): { groundingMetadata?: JsonObject } {
  const pages = sources.filter((source) => source.sourceType === "url");
  if (pages.length + queries.length === 0) return {};
  const groundingChunks = pages.map(({ url, title }) => ({ web: { uri: url, title: title ?? url } }));
  return { groundingMetadata: { groundingChunks, webSearchQueries: queries } };
}
