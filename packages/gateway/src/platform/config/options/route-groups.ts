/** LiteLLM's groups of routes, by which `allowed_routes` and the like name many at once. */
const ROUTE_GROUPS = [
  "llm_api_routes",
  "openai_routes",
  "anthropic_routes",
  "google_routes",
  "management_routes",
  "info_routes",
  "spend_tracking_routes",
  "global_spend_tracking_routes",
  "public_routes",
] as const;

export type RouteGroup = (typeof ROUTE_GROUPS)[number];

/** The group that an entry names, with or without the `LiteLLMRoutes.` of LiteLLM's own examples. */
export function groupNamed(entry: string): RouteGroup | undefined {
  const name = entry.startsWith("LiteLLMRoutes.") ? entry.slice("LiteLLMRoutes.".length) : entry;
  return ROUTE_GROUPS.find((group) => group === name);
}

/** Whether an entry of a list of routes can mean any: a path, a pattern or a group. */
export function meansRoutes(entry: string): boolean {
  return entry.startsWith("/") || entry.includes("*") || groupNamed(entry) !== undefined;
}
