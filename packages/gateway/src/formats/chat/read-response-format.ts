import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { invalidRequest } from "../../contract/errors.ts";
import { defined } from "../../util/defined.ts";
import { optional, readObject, readString } from "../fields.ts";

/** `response_format`: text, any JSON object, or JSON of a schema. */
export function readResponseFormat(value: unknown): LanguageModelV3CallOptions["responseFormat"] {
  const path = "response_format";
  const format = optional(readObject, value, path);
  switch (format?.type) {
    case "text":
      return undefined;
    case "json_object":
      return { type: "json" };
    case "json_schema": {
      const definition = readObject(format.json_schema, `${path}.json_schema`);
      return {
        type: "json",
        ...defined({
          schema: optional(readObject, definition.schema, `${path}.json_schema.schema`),
          name: optional(readString, definition.name, `${path}.json_schema.name`),
          description: optional(readString, definition.description, `${path}.json_schema.description`),
        }),
      };
    }
    default:
      if (format === undefined) return undefined;
      throw invalidRequest(`${path}.type: expected "text", "json_object" or "json_schema"`, `${path}.type`);
  }
}
