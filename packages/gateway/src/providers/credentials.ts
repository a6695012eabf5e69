import type { Deployment } from "../contract/deployment.ts";
import { GatewayError, invalidRequest } from "../contract/errors.ts";

/** Addresses remembered by how they are written; the configuration has few. */
const MAX_ADDRESSES = 1000;

const addresses = new Map<string, string>();

/** A provider's base address: the deployment's, else the first environment variable that is set, else the usual. */
export function baseAddress(
  deployment: Deployment,
  names: readonly string[],
  usual: string | undefined,
): string {
  const base = deployment.apiBase ?? fromEnvironment(names) ?? usual;
  if (base === undefined) throw notConfigured(deployment, "api_base", names);
  let address = addresses.get(base);
  if (address === undefined) {
    address = cleanAddress(base, deployment);
    if (addresses.size >= MAX_ADDRESSES) addresses.clear();
    addresses.set(base, address);
  }
  return address;
}

/** Without user, query and closing slashes. */
function cleanAddress(base: string, { provider }: Deployment): string {
  if (!URL.canParse(base) || !/^https?:/i.test(base))
    throw new GatewayError(500, "api_error", `The api_base of ${provider} is not an http(s) address`, {
      retryable: false,
    });
  const { origin, pathname } = new URL(base);
  return origin + pathname.replace(/\/+$/, "");
}

/** A provider's key: the deployment's, else the first environment variable that is set. */
export function apiKey(deployment: Deployment, names: readonly string[]): string {
  const key = optionalApiKey(deployment, names);
  if (key === undefined) throw notConfigured(deployment, "api_key", names);
  return key;
}

/** As `apiKey`, for hosts that may run without one. */
export function optionalApiKey(deployment: Deployment, names: readonly string[]): string | undefined {
  return deployment.apiKey ?? fromEnvironment(names);
}

/** The first of some environment variables that is set and not empty. */
export function fromEnvironment(names: readonly string[]): string | undefined {
  return names.map((name) => process.env[name]).find((value) => value !== undefined && value !== "");
}

function notConfigured(deployment: Deployment, what: string, names: readonly string[]): GatewayError {
  const variable = names.length === 0 ? "" : ` or the environment variable ${names.join(" or ")}`;
  return new GatewayError(
    500,
    "api_error",
    `The provider ${deployment.provider} has no ${what}: set ${what} in the model list${variable}`,
    { retryable: false },
  );
}

/**
 * The model's name becomes a part of the address; callers of a wildcard could lead the key elsewhere by it.
 * @throws GatewayError 400
 */
export function checkModelName(model: string): void {
  if (!/^[\w.:@-]+(?:\/[\w.:@-]+)*$/.test(model) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(model))
    throw invalidRequest("model: expected a name of letters, digits and . : @ _ - /", "model");
}
