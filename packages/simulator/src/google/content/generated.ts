import type { AnswerEnd } from "../../answers/answer.ts";
import { countTokens, tokenPieces } from "../../answers/tokens.ts";
import type { WebSearch } from "../../answers/web-search.ts";
import type { JsonObject } from "../../util/json.ts";
import type { GenerateResult } from "./generate-result.ts";
import { thoughtSignature } from "./thought-signature.ts";

const finishReasons: Readonly<Record<AnswerEnd, string>> = {
  stop: "STOP",
  "stop-sequence": "STOP",
  tools: "STOP",
  length: "MAX_TOKENS",
  refusal: "SAFETY",
};

/** The whole `GenerateContentResponse`. */
export function generated(result: GenerateResult): JsonObject {
  const { answer } = result;
  const parts: JsonObject[] = [];
  if (answer.thinking !== undefined) parts.push({ text: answer.thinking, thought: true });
  if (answer.text !== "" && answer.end !== "refusal") parts.push(textPart(result, answer.text, true));
  parts.push(...callParts(result));
  return response(result, parts, finishReasons[answer.end]);
}

/** The chunks of a streamed answer; the last one carries the finish reason. */
export function* generatedChunks(result: GenerateResult): Generator<JsonObject> {
  const { answer } = result;
  for (const piece of answer.thinking === undefined ? [] : tokenPieces(answer.thinking)) {
    yield response(result, [{ text: piece, thought: true }]);
  }
  const pieces = answer.end === "refusal" ? [] : tokenPieces(answer.text);
  for (const piece of pieces) yield response(result, [textPart(result, piece, false)]);
  for (const part of callParts(result)) yield response(result, [part]);
  const last = answer.end === "refusal" ? [] : [textPart(result, "", answer.calls.length === 0)];
  yield response(result, last, finishReasons[answer.end]);
}

/** What Gemini answers, with status 200, to a prompt it blocks. */
export function blockedPrompt(result: GenerateResult): JsonObject {
  return {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: {
      promptTokenCount: result.answer.inputTokens,
      totalTokenCount: result.answer.inputTokens,
    },
    modelVersion: result.model,
    responseId: result.id,
  };
}

function textPart({ answer }: GenerateResult, text: string, last: boolean): JsonObject {
  const signed = last && answer.thinking !== undefined;
  return signed ? { text, thoughtSignature: thoughtSignature("text") } : { text };
}

// Only the first of parallel calls is signed, as Gemini 3 does it.
function callParts({ model, answer, callIds }: GenerateResult): JsonObject[] {
  const signs = answer.thinking !== undefined || model.startsWith("gemini-3");
  return answer.calls.map((call, index) => ({
    functionCall: { id: callIds[index] ?? "", name: call.name, args: call.input },
    ...(signs && index === 0 ? { thoughtSignature: thoughtSignature(call.name) } : {}),
  }));
}

function response(result: GenerateResult, parts: JsonObject[], finishReason?: string): JsonObject {
  const { answer } = result;
  const content = { parts, role: "model" };
  const candidate: JsonObject = finishReason === "SAFETY" ? { index: 0 } : { content, index: 0 };
  if (finishReason !== undefined) candidate.finishReason = finishReason;
  if (finishReason !== undefined && answer.search !== undefined)
    candidate.groundingMetadata = groundingMetadata(answer.search, answer.text);
  if (finishReason === "SAFETY") {
    candidate.safetyRatings = [
      { category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true },
    ];
  }
  const thoughts = answer.thinking === undefined ? 0 : countTokens(answer.thinking);
  const usage: JsonObject = {
    promptTokenCount: answer.inputTokens,
    candidatesTokenCount: answer.outputTokens - thoughts,
    totalTokenCount: answer.inputTokens + answer.outputTokens,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: answer.inputTokens }],
  };
  Object.assign(usage, result.tier);
  if (thoughts > 0) usage.thoughtsTokenCount = thoughts;
  return { candidates: [candidate], usageMetadata: usage, modelVersion: result.model, responseId: result.id };
}

/** What the text rests on, in the chunk that ends the answer. */
function groundingMetadata({ query, pages }: WebSearch, text: string): JsonObject {
  return {
    searchEntryPoint: { renderedContent: `<div class="container">${query}</div>` },
    groundingChunks: pages.map(({ url, title }) => ({ web: { uri: url, title } })),
    groundingSupports: [
      {
        segment: { startIndex: 0, endIndex: Buffer.byteLength(text), text },
        groundingChunkIndices: pages.map((_, index) => index),
      },
    ],
    webSearchQueries: [query],
  };
}
