import { isJsonObject, type JsonObject, memberAt } from "../../contract/json.ts";

/** What a reference within a schema names (RFC 6901, also percent-encoded), such as `#/$defs/point`. */
export function referredIn(schema: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").slice(1);
  const found = memberAt(
    schema,
    steps.map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~")),
  );
  return isJsonObject(found) ? found : undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
