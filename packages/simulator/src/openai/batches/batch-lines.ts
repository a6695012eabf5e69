import { isObject, type JsonObject, parseObject, stringOf } from "../../util/json.ts";
import type { BatchError } from "./batch-record.ts";

/** One request of a batch's input file. */
export interface BatchLine {
  readonly customId: string;
  readonly body: JsonObject;
}

/** A reader of input lines that knows what came before: ids must differ, one model must be used throughout. */
export class BatchLineReader {
  readonly #endpoint: string;
  readonly #ids = new Set<string>();
  #model: string | undefined;

  /** @param endpoint path that each line's `url` must repeat */
  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** The request on a line, or what is wrong with it. Lines are counted from 1. */
  read(text: string, line: number): BatchLine | BatchError {
    const wrong = (code: string, message: string, param: string | null = null): BatchError => ({
      code,
      line,
      message,
      param,
    });
    const row = parseObject(text);
    if (row === undefined) return wrong("invalid_json_line", "This line is not parseable as valid JSON.");
    const customId = stringOf(row.custom_id);
    if (customId === undefined) {
      return wrong("missing_required_parameter", "Missing required parameter: 'custom_id'.", "custom_id");
    }
    if (this.#ids.has(customId)) {
      return wrong(
        "duplicate_custom_id",
        `The custom_id '${customId}' for this request is a duplicate of another request.`,
        "custom_id",
      );
    }
    this.#ids.add(customId);
    if (row.method !== "POST")
      return wrong("invalid_method", "The HTTP method provided is invalid, please use POST.", "method");
    if (row.url !== this.#endpoint) {
      return wrong(
        "mismatched_url",
        "The URL provided for this request does not match the batch endpoint.",
        "url",
      );
    }
    if (!isObject(row.body))
      return wrong("missing_required_parameter", "Missing required parameter: 'body'.", "body");
    const model = stringOf(row.body.model) ?? "";
    this.#model ??= model;
    if (model !== this.#model) {
      return wrong(
        "mismatched_model",
        `The provided model '${model}' for this request does not match the model of the batch '${this.#model}'.`,
        "body.model",
      );
    }
    return { customId, body: row.body };
  }
}

/** Whether a read line is an error. */
export function isBatchError(line: BatchLine | BatchError): line is BatchError {
  return "code" in line;
}
