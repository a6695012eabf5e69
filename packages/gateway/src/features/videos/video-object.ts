import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { costOfVideo } from "../../core/ledger/video-price.ts";
import type { Origin, Ownership } from "../../core/objects/ownership.ts";
import type { VideoDeps } from "./video-deps.ts";
import type { BegunVideo } from "./video-source.ts";

/** Notes a video that was just begun, what it costs, and has it kept when it is finished; gives the object to hand out. */
export async function registerVideo(
  { ownership, stored }: Pick<VideoDeps, "ownership" | "stored">,
  { principal, call }: Exchange,
  origin: Origin,
  { providerId, video, data, createdAt }: BegunVideo,
): Promise<JsonObject> {
  call.cost = costOfVideo(origin.deployment, video.seconds);
  const more = {
    ...(data === undefined ? {} : { data }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
  const id = await ownership.register("video", principal, origin, providerId, more);
  await stored?.lookAfter(id);
  return withSourceId(ownership, { ...video, id });
}

/** A remixed video names its source by the id that was handed out for it. */
export async function withSourceId(ownership: Ownership, video: JsonObject): Promise<JsonObject> {
  const source = video.remixed_from_video_id;
  if (typeof source !== "string") return video;
  const row = (await ownership.rowsOf("video", [source])).get(source);
  return row === undefined ? video : { ...video, remixed_from_video_id: row.id };
}
