import { matchesWildcard } from "../util/wildcard.ts";
import { GatewayError } from "./errors.ts";
import type { Principal } from "./principal.ts";

/** LiteLLM's words for "every model" in a key's list. */
const everyModel = new Set(["*", "all-proxy-models", "all-team-models"]);

/** Whether a key may call a model by this name. */
export function mayCallModel(principal: Principal, model: string): boolean {
  const { models } = principal;
  if (models.length === 0) return true;
  return models.some((pattern) => everyModel.has(pattern) || matchesWildcard(pattern, model));
}

/** @throws GatewayError 403 when the key may not call the model under any of the names it is known by */
export function requireModel(principal: Principal, model: string, ...furtherNames: string[]): void {
  if (mayCallModel(principal, model) || furtherNames.some((name) => mayCallModel(principal, name))) return;
  throw new GatewayError(403, "permission_error", `This api key may not call the model ${model}`, {
    param: "model",
  });
}
