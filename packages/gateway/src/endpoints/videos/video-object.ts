import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Origin, Ownership } from "../../ids/ownership.ts";
import type { VideoDeps } from "./video-deps.ts";

/** Notes a video that was just made, has it kept when it is finished, and gives its object the id to hand out. */
export async function registerVideo(
  { ownership, keeper }: Pick<VideoDeps, "ownership" | "keeper">,
  principal: Principal,
  origin: Origin,
  video: JsonObject,
): Promise<JsonObject> {
  const id = await ownership.register("video", principal, origin, String(video.id));
  await keeper?.lookAfter(id);
  return withSourceId(ownership, { ...video, id });
}

/** A remixed video names its source by the id that was handed out for it. */
export async function withSourceId(ownership: Ownership, video: JsonObject): Promise<JsonObject> {
  const source = video.remixed_from_video_id;
  if (typeof source !== "string") return video;
  const row = (await ownership.rowsOf("video", [source])).get(source);
  return row === undefined ? video : { ...video, remixed_from_video_id: row.id };
}
