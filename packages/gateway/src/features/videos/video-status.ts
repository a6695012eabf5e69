import { GatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { addressVideo, optionalBody, videoData } from "./address-video.ts";
import { openVideoSource } from "./open-video-source.ts";
import type { StoredVideo } from "./stored-videos.ts";
import type { VideoDeps } from "./video-deps.ts";
import { withSourceId } from "./video-object.ts";

/** How far a video is. */
export async function videoStatus(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalBody(exchange);
  const video = await addressVideo(deps, exchange, body);
  return governedJson(deps, exchange, videoData(video, body), async () => {
    const copy = await deps.stored?.find(video.id);
    const answer = await openVideoSource(deps, video.origin)
      .retrieve(video, exchange)
      .catch((error: unknown) => storedInstead(error, copy));
    return withSourceId(deps.ownership, { ...answer, id: video.id });
  });
}

/** A video that its provider has forgotten is as it was when it was stored, and does not expire any more. */
function storedInstead(error: unknown, copy: StoredVideo | undefined): JsonObject {
  if (copy === undefined || !(error instanceof GatewayError) || error.status !== 404) throw error;
  return { ...copy.video, expires_at: null };
}
