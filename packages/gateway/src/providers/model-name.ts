import { invalidRequest } from "../contract/errors.ts";

/**
 * The model's name becomes a part of the address; callers of a wildcard could lead the key elsewhere by it.
 * @throws GatewayError 400
 */
export function checkModelName(model: string): void {
  if (!/^[\w.:@-]+(?:\/[\w.:@-]+)*$/.test(model) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(model))
    throw invalidRequest("model: expected a name of letters, digits and . : @ _ - /", "model");
}
