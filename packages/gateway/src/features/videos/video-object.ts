import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { unpriced } from "../../core/call/worst-case.ts";
import { costOfVideo } from "../../core/ledger/video-price.ts";
import { isAbsent } from "../../core/objects/choose-provider.ts";
import type { Origin, Ownership } from "../../core/objects/ownership.ts";
import type { VideoDeps } from "./open-video-source.ts";
import type { BegunVideo } from "./video-source.ts";

/**
 * Notes a video that was just begun, what it costs, and has it kept when it is finished; gives the object to hand out.
 * @param seconds its length where the provider's answer does not say it
 */
export async function registerVideo(
  { ownership, stored }: Pick<VideoDeps, "ownership" | "stored">,
  { principal, call }: Exchange,
  origin: Origin,
  { providerId, video, data, createdAt }: BegunVideo,
  seconds: unknown,
): Promise<JsonObject> {
  call.cost = costOfVideo(origin.deployment, video.seconds) ?? expectedCost(origin, seconds, false);
  const more = {
    ...(data === undefined ? {} : { data }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
  const id = await ownership.register("video", principal, origin, providerId, more);
  await stored?.lookAfter(id);
  return withSourceId(ownership, { ...video, id }, origin);
}

/** A remixed video names its source by the id that was handed out for it. */
export async function withSourceId(
  ownership: Ownership,
  video: JsonObject,
  origin: Origin,
): Promise<JsonObject> {
  const source = video.remixed_from_video_id;
  if (typeof source !== "string") return video;
  const row = (await ownership.rowsOf("video", [source], origin)).get(source);
  return row === undefined ? video : { ...video, remixed_from_video_id: row.id };
}

/** By what limits mean the model that makes a video, whatever the caller calls it. */
export function namesOfModel({ deployment }: Origin): readonly string[] {
  return deployment === undefined ? [] : [deployment.modelName];
}

/** Seconds of a video whose caller does not say how long it is to be. */
const DEFAULT_SECONDS = 8;

/** The longest that any provider makes; a remix is as long as its source, which only its provider knows. */
export const LONGEST_SECONDS = 20;

/**
 * What a video may cost at the place that makes it.
 * @param isHeld whether there is a budget that it counts in
 * @throws GatewayError under a budget: 402 for one without a price, 400 for a length that is none
 */
export function expectedCost({ deployment }: Origin, seconds: unknown, isHeld: boolean): number {
  const length = isAbsent(seconds) ? DEFAULT_SECONDS : seconds;
  const cost = costOfVideo(deployment, length);
  if (cost !== undefined || !isHeld) return cost ?? 0;
  if (costOfVideo(deployment, DEFAULT_SECONDS) === undefined)
    throw unpriced(deployment?.modelName ?? "video");
  throw invalidRequest("seconds must be a number above 0", "seconds");
}
