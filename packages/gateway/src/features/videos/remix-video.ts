import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { addressVideo, videoData } from "./address-video.ts";
import { expectedRemixCost } from "./expected-cost.ts";
import { openVideoSource } from "./open-video-source.ts";
import type { VideoDeps } from "./video-deps.ts";
import { registerVideo } from "./video-object.ts";

/** Makes a new video out of a finished one, with the credentials that made the first. */
export async function remixVideo(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await parseJsonBody(exchange);
  if (typeof body.prompt !== "string" || body.prompt === "")
    throw invalidRequest("prompt is required", "prompt");
  const source = await addressVideo(deps, exchange, body);
  const run = async (changed: JsonObject): Promise<JsonObject> => {
    const { video_id, ...rest } = withoutLitellmFields(changed);
    const begun = await openVideoSource(deps, source.origin).remix(source, rest, exchange);
    return registerVideo(deps, exchange, source.origin, begun);
  };
  const cost = expectedRemixCost(source.origin.deployment);
  return governedJson(deps, exchange, videoData(source, body), run, cost);
}
