import type { Deployment } from "../../contract/deployment.ts";

/**
 * What a video costs in US dollars, by the deployment's price for a second; the price list has none for videos.
 * `undefined` without a price, or where the provider does not say how long the video is.
 * @param seconds as OpenAI's video object has it: a number as text
 */
export function costOfVideo(deployment: Deployment | undefined, seconds: unknown): number | undefined {
  const price = deployment?.prices.outputPerSecond;
  const length = Number(seconds);
  return price === undefined || !(length > 0) ? undefined : price * length;
}
