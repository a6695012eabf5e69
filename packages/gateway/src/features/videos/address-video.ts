import { missingField } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { chooseProvider, selectorOrder } from "../../core/objects/choose-provider.ts";
import { type AddressedObject, locateOrigin } from "../../core/objects/locate-origin.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";

/** A video, and whether the request or the video's id said which provider has it. */
export interface AddressedVideo extends AddressedObject {
  readonly isProviderFound: boolean;
}

/** The video of the path, asked for where header, query, body or else its id say (spec: Videos, provider selection). */
export async function addressVideo(
  deps: ResourceDeps,
  exchange: Exchange,
  body: JsonObject,
): Promise<AddressedVideo> {
  const id = exchange.params.videoId;
  if (id === undefined || id === "") throw missingField("video_id");
  const named = chooseProvider(exchange, selectorOrder["videos/{id}"], { body });
  const video = await locateOrigin(deps, exchange, "video", id, "videos", named);
  const isProviderFound = named !== undefined || video.row !== undefined || video.providerId !== id;
  return { ...video, isProviderFound };
}

/** What hooks see of an operation on a video. */
export function videoData(video: AddressedVideo, body: JsonObject): JsonObject {
  return { ...body, video_id: video.id, custom_llm_provider: video.origin.provider };
}

/** As `videoData`, for content and remix: a provider that nothing named is not in it (spec: Videos). */
export function videoDataAsFound(video: AddressedVideo, body: JsonObject): JsonObject {
  const { custom_llm_provider: provider, ...data } = videoData(video, body);
  return video.isProviderFound ? { ...data, custom_llm_provider: provider } : data;
}

/** The video that hooks left, and the exchange that leads there. */
export async function steeredVideo(
  deps: ResourceDeps,
  exchange: Exchange,
  video: AddressedVideo,
  given: JsonObject,
  changed: JsonObject,
): Promise<{ video: AddressedVideo; steered: Exchange }> {
  const steered = steeredExchange(exchange, given, changed, { video_id: "videoId" });
  return { steered, video: steered === exchange ? video : await addressVideo(deps, steered, changed) };
}
