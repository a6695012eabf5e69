import { mayNameSecret } from "../../util/secret-names.ts";

const SCHEME = /^(?:bearer|basic|token|key)\s+/i;
/** Shorter ones stand in many texts that do not mean them, and are no secrets. */
const MIN_LENGTH = 8;

/**
 * A text of whoever was asked without the credentials that it was asked with, as some quote them in their errors: keys of
 * hosts look like anything, so that no pattern knows them.
 */
export function withoutSent(
  text: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  let masked = text;
  for (const [name, value] of Object.entries(headers)) {
    // What proves who asks is not for whoever is asked on behalf of.
    if (!mayNameSecret(name) && !/signature/i.test(name)) continue;
    for (const one of [value ?? []].flat()) {
      const secret = String(one).trim().replace(SCHEME, "");
      if (secret.length < MIN_LENGTH) continue;
      masked = masked.replaceAll(secret, "***");
      // As it stands in JSON.
      masked = masked.replaceAll(JSON.stringify(secret).slice(1, -1), "***");
    }
  }
  return masked;
}
