import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { optional, readBoolean, readPositiveInteger, readString } from "../fields.ts";
import { embeddingOptions } from "../provider-options.ts";

/** How the vectors are written: numbers, or 32-bit floats (little endian) in base64. */
export type EncodingFormat = "float" | "base64";

/** An embeddings request as the neutral model takes it. */
export interface EmbeddingRequest {
  readonly values: readonly string[];
  readonly providerOptions: SharedV3ProviderOptions;
  readonly encodingFormat: EncodingFormat;
}

/** What Google's models may be told that a vector is for. */
const purposes: ReadonlySet<string> = new Set([
  "SEMANTIC_SIMILARITY",
  "CLASSIFICATION",
  "CLUSTERING",
  "RETRIEVAL_DOCUMENT",
  "RETRIEVAL_QUERY",
  "QUESTION_ANSWERING",
  "FACT_VERIFICATION",
  "CODE_RETRIEVAL_QUERY",
]);

/** Cohere's and OpenAI-compatible hosts' words for what a vector is for, in Google's. */
const taskTypes: ReadonlyMap<string, string> = new Map([
  ["query", "RETRIEVAL_QUERY"],
  ["search_query", "RETRIEVAL_QUERY"],
  ["document", "RETRIEVAL_DOCUMENT"],
  ["passage", "RETRIEVAL_DOCUMENT"],
  ["search_document", "RETRIEVAL_DOCUMENT"],
  ["classification", "CLASSIFICATION"],
  ["clustering", "CLUSTERING"],
]);

/**
 * Reads an OpenAI embeddings body. What the vector is for may be said in `task_type` (Google's words) or `input_type`
 * (Cohere's); `title` and `auto_truncate` are Vertex AI's, under LiteLLM's names.
 * @throws GatewayError 400 naming the field; token arrays too, because tokens of one maker say nothing to another
 */
export function readEmbeddingRequest(body: JsonObject): EmbeddingRequest {
  const options = defined({
    dimensions: optional(readPositiveInteger, body.dimensions, "dimensions"),
    taskType: readTaskType(body),
    title: optional(readString, body.title, "title"),
    autoTruncate: optional(readBoolean, body.auto_truncate, "auto_truncate"),
  });
  return {
    values: readInput(body.input),
    providerOptions: embeddingOptions(options),
    encodingFormat: readEncodingFormat(body.encoding_format),
  };
}

function readInput(input: unknown): readonly string[] {
  const values = typeof input === "string" ? [input] : input;
  if (!Array.isArray(values) || values.length === 0)
    throw invalidRequest("input: expected a string or an array of strings", "input");
  const wrong = values.findIndex((value) => typeof value !== "string" || value === "");
  if (wrong === -1) return values as string[];
  const text =
    values[wrong] === ""
      ? `input.${wrong}: expected a string that is not empty`
      : `input.${wrong}: expected a string; this model's provider does not take tokens`;
  throw invalidRequest(text, "input");
}

function readTaskType({ task_type: own, input_type: foreign }: JsonObject): string | undefined {
  const taskType = optional(readString, own, "task_type")?.toUpperCase();
  if (taskType !== undefined && !purposes.has(taskType))
    throw invalidRequest(`task_type: expected one of ${[...purposes].join(", ")}`, "task_type");
  const inputType = optional(readString, foreign, "input_type");
  return taskType ?? (inputType === undefined ? undefined : taskTypes.get(inputType.toLowerCase()));
}

function readEncodingFormat(value: unknown): EncodingFormat {
  if (value === undefined || value === null) return "float";
  if (value === "float" || value === "base64") return value;
  throw invalidRequest('encoding_format: expected "float" or "base64"', "encoding_format");
}
