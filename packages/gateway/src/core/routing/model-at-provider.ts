import type { Deployment } from "../../contract/deployment.ts";

/**
 * The model's name at its provider, where no request says it any more: the deployment's, or where that is a wildcard
 * the one that the object or the answer names.
 */
export function modelAtProvider(deployment: Deployment | undefined, named: string): string {
  return deployment === undefined || deployment.model.includes("*") ? named : deployment.model;
}
