import type { Route } from "../../contract/exchange.ts";
import { openaiRoute } from "../../core/objects/openai-route.ts";
import { createVideo } from "./create-video.ts";
import { deleteVideo } from "./delete-video.ts";
import { listVideos } from "./list-videos.ts";
import { remixVideo } from "./remix-video.ts";
import { videoContent } from "./video-content.ts";
import type { VideoDeps } from "./video-deps.ts";
import { videoStatus } from "./video-status.ts";

/** Videos (spec: Videos; OpenAI API reference: Videos), with and without `/v1`. */
export function videoRoutes(deps: VideoDeps): Route[] {
  return ["/v1/videos", "/videos"].flatMap((base) => [
    openaiRoute("POST", base, "avideo_generation", (exchange) => createVideo(deps, exchange)),
    openaiRoute("GET", base, "avideo_list", (exchange) => listVideos(deps, exchange)),
    openaiRoute("GET", `${base}/:videoId`, "avideo_status", (exchange) => videoStatus(deps, exchange)),
    openaiRoute("GET", `${base}/:videoId/content`, "avideo_content", (exchange) =>
      videoContent(deps, exchange),
    ),
    openaiRoute("POST", `${base}/:videoId/remix`, "avideo_remix", (exchange) => remixVideo(deps, exchange)),
    openaiRoute("DELETE", `${base}/:videoId`, "avideo_delete", (exchange) => deleteVideo(deps, exchange)),
  ]);
}
