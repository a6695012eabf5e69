import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Values of rows as LiteLLM's versions write them. */

/** A text; none where it is empty. */
export function textIn(row: JsonObject, name: string): string | undefined {
  const { [name]: value } = row;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A limit; one below zero refuses everything, as zero does. Infinity means no limit. */
export function limitIn(row: JsonObject, name: string): number | undefined {
  const { [name]: value } = row;
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : undefined;
}

export function spendIn(row: JsonObject, name = "spend"): number {
  return limitIn(row, name) ?? 0;
}

/** An object, also one that an older version wrote as text. */
export function objectIn(row: JsonObject, name: string): JsonObject {
  const { [name]: value } = row;
  if (isJsonObject(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

export function textsIn(row: JsonObject, name: string): string[] {
  const { [name]: value } = row;
  return Array.isArray(value) ? value.filter((item) => typeof item === "string" && item !== "") : [];
}

/** Milliseconds since the epoch. Prisma's times are UTC and do not say so. */
export function timeIn(row: JsonObject, name: string): number | undefined {
  const text = textIn(row, name);
  if (text === undefined) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The members that have a value. */
export function present(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => {
      if (value === undefined || value === null) return false;
      if (Array.isArray(value)) return value.length > 0;
      return !isJsonObject(value) || Object.keys(value).length > 0;
    }),
  );
}
