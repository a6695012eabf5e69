import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { type AddressedObject, madeAt } from "../../core/objects/locate-origin.ts";
import { addressVideo, videoData } from "./address-video.ts";
import { removeVideo } from "./delete-video.ts";
import { expectedCost } from "./expected-cost.ts";
import { openVideoSource } from "./open-video-source.ts";
import type { VideoDeps } from "./video-deps.ts";
import { registerVideo } from "./video-object.ts";

/** Makes a new video out of a finished one, with the credentials that made the first. */
export async function remixVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await parseJsonBody(exchange);
  if (typeof body.prompt !== "string" || body.prompt === "")
    throw invalidRequest("prompt is required", "prompt");
  const source = await addressVideo(deps, exchange, body);
  const { origin } = source;
  const videos = openVideoSource(deps, origin);
  let made: AddressedObject | undefined;
  const run = async (changed: JsonObject): Promise<JsonObject> => {
    const { video_id, ...rest } = withoutLitellmFields(changed);
    const begun = await videos.remix(source, rest, exchange);
    made = madeAt(origin, begun.providerId);
    const video = await registerVideo(deps, exchange, origin, begun);
    made = madeAt(origin, begun.providerId, String(video.id));
    return video;
  };
  const undo = async (): Promise<void> => {
    if (made !== undefined) await removeVideo(deps, videos, made, exchange);
  };
  const cost = (): number => expectedCost(origin, undefined, exchange.principal);
  return governedJson(deps, exchange, videoData(source, body), run, { cost, undo });
}
