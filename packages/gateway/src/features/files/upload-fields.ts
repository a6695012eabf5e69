import { checkForm } from "../../contract/check.ts";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { uploadForm } from "./schema.ts";

/** The fields of an upload's form. */
export interface UploadFields {
  readonly purpose: string;
  /** The models that the file is for. */
  readonly models: readonly string[];
  /** Seconds. */
  readonly expiresAfter: number | undefined;
  /** What the provider gets; the gateway's own fields are left out. */
  readonly forwarded: readonly (readonly [name: string, value: string])[];
  readonly data: JsonObject;
}

const ownFields: ReadonlySet<string> = new Set([
  "target_model_names",
  "target_model_names[]",
  "model",
  "custom_llm_provider",
]);
const MAX_MODELS = 100;

/**
 * Reads the form of an upload.
 * @param data the fields as the pre-call hooks left them, which win
 * @throws GatewayError 400 naming the field
 */
export function readUploadFields(
  fields: readonly (readonly [string, string])[],
  data: JsonObject,
): UploadFields {
  const { purpose, model, "expires_after[seconds]": expiresAfter } = checkForm(uploadForm, data);
  const listed = ["target_model_names", "target_model_names[]"].flatMap((name) =>
    valuesOf(name, fields, data).flatMap(namesIn),
  );
  const single = model === undefined ? [] : [model.trim()];
  const models = [...new Set([...listed, ...single])].filter((name) => name !== "");
  if (models.length > MAX_MODELS)
    throw invalidRequest(`At most ${MAX_MODELS} models can be named`, "target_model_names");
  const forwarded = fields
    .filter(([name]) => !ownFields.has(name) && data[name] !== null)
    .map(([name, value]) => [name, name in data ? String(data[name]) : value] as const);
  return { purpose, models, expiresAfter, forwarded, data };
}

/** The values of a field, which a form may repeat; hooks see the last one, and what they put in its place counts alone. */
function valuesOf(
  name: string,
  fields: readonly (readonly [string, string])[],
  data: JsonObject,
): readonly string[] {
  const given = fields.filter(([field]) => field === name).map(([, value]) => value);
  const left = data[name];
  if (left === undefined || left === given.at(-1)) return given;
  return (Array.isArray(left) ? left : [left ?? ""]).map(String);
}

/** `a,b`, or the same as a JSON array. */
function namesIn(value: string): string[] {
  const text = value.trim();
  const inner = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  return inner.split(",").map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
}
