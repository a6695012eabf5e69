import type { Family } from "../../contract/wire-format.ts";
import type { Claim, Standing } from "./counters.ts";

/** The rate-limit headers of a key's requests and tokens, as the clients of the family read them. */
export function rateLimitHeaders(
  claims: readonly Claim[],
  standings: readonly Standing[],
  family: Family,
  now: number,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [index, claim] of claims.entries()) {
    const standing = standings[index];
    if (standing === undefined || (claim.kind !== "requests" && claim.kind !== "tokens")) continue;
    // Of several limits of a kind callers need to know the one that they reach first.
    const isTighter = claims.some(
      ({ kind }, other) => kind === claim.kind && standings[other]!.remaining < standing.remaining,
    );
    if (isTighter) continue;
    const remaining = String(Math.floor(standing.remaining));
    if (family === "anthropic") {
      headers[`anthropic-ratelimit-${claim.kind}-limit`] = String(claim.limit);
      headers[`anthropic-ratelimit-${claim.kind}-remaining`] = remaining;
      headers[`anthropic-ratelimit-${claim.kind}-reset`] = new Date(now + standing.resetIn).toISOString();
    } else {
      headers[`x-ratelimit-limit-${claim.kind}`] = String(claim.limit);
      headers[`x-ratelimit-remaining-${claim.kind}`] = remaining;
      headers[`x-ratelimit-reset-${claim.kind}`] = `${Math.ceil(standing.resetIn / 1000)}s`;
    }
  }
  return headers;
}
