import type { Json } from "./text-memory.ts";

/** A configuration's values as JSON; `undefined` when one is no scalar of TOML, a date, or no list of scalars. */
export function plainValues(values: Readonly<Record<string, unknown>>): Json | undefined {
  const plain: Record<string, Json> = {};
  for (const [key, value] of Object.entries(values)) {
    const form = Array.isArray(value) ? plainList(value) : plainScalar(value);
    if (form === undefined) return undefined;
    plain[key] = form;
  }
  return plain;
}

function plainList(list: readonly unknown[]): Json[] | undefined {
  const plain = list.map(plainScalar);
  return plain.every((scalar) => scalar !== undefined) ? plain : undefined;
}

/** Only integers need another form: they are `bigint`s. */
function plainScalar(value: unknown): Json | undefined {
  if (typeof value === "bigint") return { integer: value.toString() };
  const isPlain = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  return isPlain ? (value as string | boolean | number) : undefined;
}

/** The values that `plainValues` made plain. */
export function valuesOf(plain: Json): Record<string, unknown> {
  const entries = Object.entries(plain as Record<string, Json>);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.map(scalarOf) : scalarOf(value)]),
  );
}

function scalarOf(plain: Json): unknown {
  return typeof plain === "object" ? BigInt((plain as { integer: string }).integer) : plain;
}
