import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { amount, list, object, type Schema, text, whole } from "../../contract/schema.ts";
import {
  batchEmbedContentsFields,
  countTokensFields,
  embedContentFields,
  geminiFields,
} from "../../formats/gemini/fields.ts";

const usage = object({
  promptTokenCount: whole(),
  candidatesTokenCount: whole(),
  thoughtsTokenCount: whole(),
  cachedContentTokenCount: whole(),
  totalTokenCount: whole(),
});

const generated: Schema = object({
  candidates: list(
    object({
      content: object({ role: text("`model`"), parts: list(object()) }),
      finishReason: text("`STOP`, `MAX_TOKENS`, `SAFETY`, ..."),
      index: whole(),
    }),
  ),
  promptFeedback: object({ blockReason: text() }),
  usageMetadata: usage,
  modelVersion: text(),
  responseId: text(),
});

const embedding = object({ "values!": list(amount()) });
const key = text("The gateway's key, where no header has it.");

/** Google's `generateContent` and what belongs to it. */
export const generateContentDescription: GroupDescription = {
  tag: "Generate content",
  about:
    "Google's Gemini API in front of every provider. Fields are taken in camel case and in snake case. The same under `/gemini`, and at Vertex AI's paths.",
  operations: [
    {
      method: "POST",
      path: "/v1beta/models/{model}:generateContent",
      routePath: "/v1beta/models/*:generateContent",
      id: "generateContent",
      summary: "Generate content",
      query: object({ key }),
      request: json(object(geminiFields)),
      answer: { ...answers("The candidates.", generated), isModelCall: true },
    },
    {
      method: "POST",
      path: "/v1beta/models/{model}:streamGenerateContent",
      routePath: "/v1beta/models/*:streamGenerateContent",
      id: "streamGenerateContent",
      summary: "Generate content as a stream",
      query: object({ key, alt: text("`sse` for events; without, the stream is one JSON array.") }),
      request: json(object(geminiFields)),
      answer: {
        ...answers("The chunks, each an answer of its own.", list(generated)),
        stream: "Chunks up to one with a `finishReason`, or `error` where the answer could not be finished.",
        isModelCall: true,
      },
    },
    {
      method: "POST",
      path: "/v1beta/models/{model}:countTokens",
      routePath: "/v1beta/models/*:countTokens",
      id: "countContentTokens",
      summary: "Count the tokens of contents",
      query: object({ key }),
      request: json(object(countTokensFields)),
      answer: answers(
        "The count: Google's own for its models, else the local tokenizer's.",
        object({ "totalTokens!": whole() }),
      ),
    },
    {
      method: "POST",
      path: "/v1beta/models/{model}:embedContent",
      routePath: "/v1beta/models/*:embedContent",
      id: "embedContent",
      summary: "Embed a content",
      query: object({ key }),
      request: json(object(embedContentFields)),
      answer: { ...answers("The vector.", object({ "embedding!": embedding })), isModelCall: true },
    },
    {
      method: "POST",
      path: "/v1beta/models/{model}:batchEmbedContents",
      routePath: "/v1beta/models/*:batchEmbedContents",
      id: "batchEmbedContents",
      summary: "Embed several contents",
      about: "Task type, title and dimensions must be the same in all requests.",
      query: object({ key }),
      request: json(object(batchEmbedContentsFields)),
      answer: {
        ...answers("The vectors, in the order of the requests.", object({ "embeddings!": list(embedding) })),
        isModelCall: true,
      },
    },
  ],
};
