import { isObject, type JsonObject, type JsonValue, listOf, objectOf, objectsIn } from "../../util/json.ts";
import { invalidArgument } from "../failures.ts";
import { member } from "../members.ts";

/** What Google's `Schema` has; anything else is refused by name (Gemini API reference, "Schema"). */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems"],
  ...["properties", "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern"],
  ...["minimum", "maximum", "anyOf", "propertyOrdering", "default", "example"],
]);
const STRING_FORMATS: ReadonlySet<JsonValue> = new Set(["enum", "date-time"]);
/** Levels of a schema that Gemini takes. */
const MAX_DEPTH = 64;

/** Refuses what Gemini refuses in the schemas of functions and of the answer. Throws `ApiFailure`. */
export function checkSchemas(body: JsonObject): void {
  for (const [at, tool] of objectsIn(body.tools).entries())
    for (const [index, declaration] of objectsIn(member(tool, "functionDeclarations")).entries())
      if (declaration.parameters !== undefined)
        checkParameters(declaration.parameters, `tools[${at}].function_declarations[${index}].parameters`);
  const schema = member(objectOf(member(body, "generationConfig")), "responseSchema");
  if (schema !== undefined) checkSchema(schema, "generation_config.response_schema", 1);
}

function checkParameters(schema: JsonValue, path: string): void {
  checkSchema(schema, path, 1);
  const type = objectOf(schema).type;
  if (type !== undefined && String(type).toLowerCase() === "object") return;
  throw invalidArgument(`* GenerateContentRequest.${path}: schema should be of type OBJECT.\n`);
}

function checkSchema(schema: JsonValue, path: string, depth: number): void {
  if (!isObject(schema)) throw invalidArgument(`Invalid value at '${path}'`);
  if (depth > MAX_DEPTH) throw invalidArgument(`${path}: the schema is nested too deep`);
  for (const name of Object.keys(schema))
    if (!KEYWORDS.has(name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())))
      throw invalidArgument(
        `Invalid JSON payload received. Unknown name "${name}" at '${path}': Cannot find field.`,
      );
  const type = String(schema.type ?? "").toLowerCase();
  const wrong = (what: string) => invalidArgument(`* GenerateContentRequest.${path}.${what}\n`);
  if (type === "array" && schema.items === undefined) throw wrong("items: missing field.");
  if (type === "string" && schema.format !== undefined && !STRING_FORMATS.has(schema.format))
    throw wrong("format: only 'enum' and 'date-time' are supported for STRING type");
  if (schema.enum !== undefined && type !== "string") throw wrong("enum: only allowed for STRING type");
  const properties = objectOf(schema.properties);
  for (const [index, name] of listOf(schema.required).entries())
    if (!(String(name) in properties)) throw wrong(`required[${index}]: property is not defined`);
  if (schema.items !== undefined) checkSchema(schema.items, `${path}.items`, depth + 1);
  for (const [name, each] of Object.entries(properties))
    checkSchema(each ?? null, `${path}.properties[${name}]`, depth + 1);
  for (const [index, each] of listOf(member(schema, "anyOf")).entries())
    checkSchema(each, `${path}.any_of[${index}]`, depth + 1);
}
