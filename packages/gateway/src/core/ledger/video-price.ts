import type { Deployment } from "../../contract/deployment.ts";

/** Longer than any video: a provider that says more has not said how long it is. */
const MAX_SECONDS = 86_400;

/**
 * What a video costs in US dollars, by the deployment's price for a second; the price list has none for videos.
 * `undefined` without a price, or where the provider does not say how long the video is.
 * @param seconds as OpenAI's video object has it: a number as text
 */
export function costOfVideo(deployment: Deployment | undefined, seconds: unknown): number | undefined {
  const price = deployment?.prices.outputPerSecond;
  const length = Number(seconds);
  return price === undefined || !(length > 0 && length <= MAX_SECONDS) ? undefined : price * length;
}
