import type { JsonValue } from "../util/json.ts";

const tokensByEffort: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 8,
  low: 16,
  medium: 64,
  high: 256,
  xhigh: 512,
};

/** Hidden reasoning tokens that an effort costs here; 0 for none or an unknown one. */
export function reasoningTokensOf(effort: JsonValue | undefined): number {
  return typeof effort === "string" ? (tokensByEffort[effort] ?? 0) : 0;
}
