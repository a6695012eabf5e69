import { invalidRequest } from "../../contract/errors.ts";
import { type UpstreamPath, upstreamCallersPath } from "../../contract/upstream-path.ts";

/** A path that a caller wants to pass through, as the one reading of it that counts. */
interface PassedPath {
  /** At the gateway, such as `/openai/v1/fine_tuning/jobs`. */
  readonly route: string;
  /** What follows what the gateway has for the provider's address. */
  readonly below: UpstreamPath;
}

/**
 * Reads the path of a request, each of its steps decoded once.
 * @param raw as it was sent
 * @param base what it begins with, in plain letters
 * @throws GatewayError 400 for a step that is empty, is one of a path (`.`, `..`), or has other characters than names
 */
export function readPassedPath(raw: string, base: string): PassedPath {
  const own = base.split("/").length;
  const below = upstreamCallersPath(raw.split("/").slice(own).map(decoded));
  return { route: base + below, below };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    throw invalidRequest("The path is not valid percent-encoding.");
  }
}
