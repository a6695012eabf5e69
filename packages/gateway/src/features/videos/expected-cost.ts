import type { Principal } from "../../contract/principal.ts";
import { unpriced } from "../../core/call/worst-case.ts";
import { costOfVideo } from "../../core/ledger/video-price.ts";
import type { Origin } from "../../core/objects/ownership.ts";

/** Seconds of a video whose caller does not say how long it is to be. */
const DEFAULT_SECONDS = 8;

/**
 * What a video may cost at the place that makes it.
 * @throws GatewayError 402 for one without a price under a budget
 */
export function expectedCost({ deployment }: Origin, seconds: unknown, { limits }: Principal): number {
  const cost = costOfVideo(deployment, seconds ?? DEFAULT_SECONDS);
  if (cost === undefined && limits.maxBudget !== undefined) throw unpriced(deployment?.modelName ?? "video");
  return cost ?? 0;
}
