import { type Directives, readDirectives } from "../../answers/directives.ts";
import { embeddingVector } from "../../answers/embedding-vector.ts";
import { countTokens } from "../../answers/tokens.ts";
import type { ModelCall } from "../../http/model-call.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { type JsonObject, type JsonValue, numberOf } from "../../util/json.ts";
import { invalidRequest, invalidValue, missingParameter } from "../failures.ts";
import { modelName } from "../model-name.ts";

const MAX_INPUTS = 2048;
const DEFAULT_DIMENSIONS = 1536;
const MAX_DIMENSIONS = 4096;

interface EmbeddingInput {
  readonly text: string;
  readonly tokens: number;
}

/** Checks an embeddings request (texts or token arrays, floats or base64) and prepares its answer. */
export function embeddingsCall(state: SimulatorState, body: JsonObject): ModelCall {
  const model = modelName(body);
  const inputs = inputsOf(body.input);
  const dimensions = dimensionsOf(body.dimensions);
  const base64 = body.encoding_format === "base64";
  const directives: Directives = readDirectives(inputs.at(-1)?.text ?? "");
  return {
    directives,
    stream: false,
    events: () => [],
    json: () => {
      const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0);
      state.counters.countTokens(model, tokens, 0);
      return {
        object: "list",
        data: inputs.map((input, index) => ({
          object: "embedding",
          index,
          embedding: encoded(embeddingVector(input.text, dimensions), base64),
        })),
        model,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      };
    },
  };
}

function encoded(vector: Float32Array, base64: boolean): string | number[] {
  return base64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
}

function inputsOf(input: JsonValue | undefined): EmbeddingInput[] {
  if (input === undefined) throw missingParameter("input");
  const list = typeof input === "string" || isTokens(input) ? [input] : input;
  if (!Array.isArray(list) || list.length === 0) {
    throw invalidRequest(
      "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    );
  }
  if (list.length > MAX_INPUTS) {
    throw invalidRequest(
      `Invalid 'input': array too long. Expected an array with maximum length ${MAX_INPUTS}.`,
      "input",
      "array_above_max_length",
    );
  }
  return list.map((item) => {
    if (typeof item === "string" && item !== "") return { text: item, tokens: countTokens(item) };
    if (isTokens(item)) return { text: item.join(" "), tokens: item.length };
    throw invalidRequest(
      "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    );
  });
}

function isTokens(value: JsonValue): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "number");
}

function dimensionsOf(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return DEFAULT_DIMENSIONS;
  const dimensions = numberOf(value);
  if (
    dimensions === undefined ||
    !Number.isInteger(dimensions) ||
    dimensions < 1 ||
    dimensions > MAX_DIMENSIONS
  ) {
    throw invalidValue(
      "dimensions",
      `Invalid value for 'dimensions' = ${String(value)}. Must be between 1 and ${MAX_DIMENSIONS}.`,
    );
  }
  return dimensions;
}
