import { GatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optionalJsonBody } from "../../contract/json-body.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";
import { addressVideo, steeredVideo, videoData } from "./address-video.ts";
import { openVideoSource, type VideoDeps } from "./open-video-source.ts";
import type { StoredVideo } from "./stored-videos.ts";
import type { VideoSource } from "./video-source.ts";

/** Deletes a video at its provider, and what is known of it here. */
export async function deleteVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalJsonBody(exchange);
  const addressed = await addressVideo(deps, exchange, body);
  const data = videoData(addressed, body);
  return governedJson(deps, exchange, data, async (changed) => {
    const { video } = await steeredVideo(deps, exchange, addressed, data, changed);
    return removeVideo(deps, openVideoSource(deps, video.origin), video, exchange);
  });
}

/** Removes a video from its provider and from what is stored here. */
export async function removeVideo(
  deps: VideoDeps,
  source: VideoSource,
  video: AddressedObject,
  context: ResourceContext,
): Promise<JsonObject> {
  const copy = await deps.stored?.find(video.id);
  const answer = await source.delete(video, context).catch((error: unknown) => forgottenAlready(error, copy));
  if (copy !== undefined) await deps.stored?.forget(copy);
  await deps.ownership.forget(video.id);
  return { ...answer, id: video.id };
}

/** A stored video may be deleted although its provider has forgotten it. */
function forgottenAlready(error: unknown, copy: StoredVideo | undefined): JsonObject {
  if (copy === undefined || !(error instanceof GatewayError) || error.status !== 404) throw error;
  return { object: "video.deleted", deleted: true };
}
