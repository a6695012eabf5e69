import { GatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { addressVideo, optionalBody, videoData } from "./address-video.ts";
import { openVideoSource } from "./open-video-source.ts";
import type { VideoDeps } from "./video-deps.ts";
import type { KeptVideo } from "./video-keeper.ts";

/** Deletes a video at its provider, and what is known of it here. */
export async function deleteVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalBody(exchange);
  const video = await addressVideo(deps, exchange, body);
  return governedJson(deps, exchange, videoData(video, body), async () => {
    const kept = await deps.keeper?.find(video.id);
    const answer = await openVideoSource(deps, video.origin)
      .delete(video, exchange)
      .catch((error: unknown) => forgottenAlready(error, kept));
    if (kept !== undefined) await deps.keeper?.forget(kept);
    await deps.ownership.forget(video.id);
    return { ...answer, id: video.id };
  });
}

/** A kept video may be deleted although its provider has forgotten it. */
function forgottenAlready(error: unknown, kept: KeptVideo | undefined): JsonObject {
  if (kept === undefined || !(error instanceof GatewayError) || error.status !== 404) throw error;
  return { object: "video.deleted", deleted: true };
}
