import { costOfVideo } from "../../core/ledger/video-price.ts";
import type { Origin } from "../../core/objects/ownership.ts";

/** Seconds of a video whose caller does not say how long it is to be. */
const DEFAULT_SECONDS = 8;

/** What a video may cost at the place that makes it; nothing is held for one without a price. */
export function expectedCost({ deployment }: Origin, seconds: unknown): number {
  return costOfVideo(deployment, seconds ?? DEFAULT_SECONDS) ?? 0;
}
