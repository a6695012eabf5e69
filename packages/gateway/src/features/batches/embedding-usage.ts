import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";

/** Usage of an answer of OpenAI's endpoints that have no dialect here, such as embeddings. */
export function openaiEmbeddingUsage(answer: JsonObject): Usage | undefined {
  const { usage } = answer;
  if (!isJsonObject(usage)) return undefined;
  const count = (...names: string[]): number =>
    Number(names.map((name) => usage[name]).find((value) => typeof value === "number") ?? 0);
  return {
    ...noUsage,
    input: count("prompt_tokens", "input_tokens"),
    output: count("completion_tokens", "output_tokens"),
  };
}
