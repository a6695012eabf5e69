import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { chooseProvider, selectorOrder } from "../../core/objects/choose-provider.ts";
import { type AddressedObject, locateOrigin } from "../../core/objects/locate-origin.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";

/** The video of the path, asked for where header, query, body or else its id say (spec: Videos, provider selection). */
export function addressVideo(
  deps: ResourceDeps,
  exchange: Exchange,
  body: JsonObject,
): Promise<AddressedObject> {
  const id = exchange.params.videoId;
  if (id === undefined || id === "") throw invalidRequest("video_id is required", "video_id");
  const named = chooseProvider(exchange, selectorOrder["videos/{id}"], { body });
  return locateOrigin(deps, exchange, "video", id, "videos", named);
}

/** What hooks see of an operation on a video. */
export function videoData(video: AddressedObject, body: JsonObject): JsonObject {
  return { ...body, video_id: video.id, custom_llm_provider: video.origin.provider };
}

/** The video that hooks left, and the exchange that leads there. */
export async function steeredVideo(
  deps: ResourceDeps,
  exchange: Exchange,
  video: AddressedObject,
  given: JsonObject,
  changed: JsonObject,
): Promise<{ video: AddressedObject; steered: Exchange }> {
  const steered = steeredExchange(exchange, given, changed, { video_id: "videoId" });
  return { steered, video: steered === exchange ? video : await addressVideo(deps, steered, changed) };
}
