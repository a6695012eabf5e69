import type { JsonObject } from "../../src/contract/json.ts";

/** A request with one of its texts made another. */
export interface Changed {
  readonly where: string;
  readonly body: JsonObject;
}

/** The example with this at the end of each of its texts, one by one. */
export function* eachTextIn(example: JsonObject, addition: string): Generator<Changed> {
  for (const path of textsIn(example)) {
    const body = structuredClone(example);
    let at = body as Record<string, unknown>;
    for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>;
    const last = path.at(-1)!;
    at[last] = `${at[last]} ${addition}`;
    yield { where: path.join("."), body };
  }
}

function* textsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === "string") yield path;
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) yield* textsIn(member as unknown, [...path, name]);
}
