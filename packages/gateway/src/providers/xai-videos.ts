import { GatewayError, invalidRequest } from "../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { upstreamPath } from "../contract/upstream-path.ts";
import type { VideoJobs, VideoProgress, VideoStart, WantedVideo } from "../contract/video-jobs.ts";
import { shapeOfSize, sizeOfShape, type VideoShapes, wholeNumber } from "./video-shape.ts";

const shapes: VideoShapes = {
  provider: "xai",
  ratios: ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"],
  lines: { "480p": 480, "720p": 720 },
  examples: "854x480 and 1280x720, upright, square, 4:3 and 3:2 as well",
};
/** What xAI makes of a request that says nothing. */
const usual = { seconds: "8", ratio: "16:9", resolution: "480p" } as const;
/** Ids may come from callers: nothing else may become part of an address. */
const requestId = /^[\w-]+$/;

/** xAI's video models (xAI API reference: Videos; their path begins like OpenAI's, the rest differs). */
export const xaiVideos: VideoJobs = {
  start({ model, prompt, fields, image }: WantedVideo): VideoStart {
    const body: JsonObject = { model, prompt, ...parametersOf(fields) };
    if (image !== undefined) body.image = { url: `data:${image.type};base64,${image.base64}` };
    const ratio = String(body.aspect_ratio ?? usual.ratio);
    const resolution = String(body.resolution ?? usual.resolution);
    return {
      path: upstreamPath`/videos/generations`,
      body,
      seconds: String(body.duration ?? usual.seconds),
      size: sizeOfShape({ ratio, resolution }, shapes) ?? "",
    };
  },
  remix({ model, content, seconds, size }, prompt) {
    if (!("address" in content)) throw new GatewayError(500, "api_error", "The video has no address");
    return {
      path: upstreamPath`/videos/edits`,
      body: { model, prompt, video: { url: content.address } },
      seconds,
      size,
    };
  },
  idOf: ({ request_id: id }) => (typeof id === "string" && requestId.test(id) ? id : undefined),
  look: (id) => (requestId.test(id) ? { method: "GET", path: upstreamPath`/videos/${id}` } : undefined),
  read(answer): VideoProgress {
    const { status, progress, video } = answer;
    const url = isJsonObject(video) ? video.url : undefined;
    if (status === "failed" || status === "expired") return failed(answer);
    if (status !== "done" && url === undefined)
      return { status: "in_progress", ...(typeof progress === "number" ? { progress } : {}) };
    if (isJsonObject(video) && video.respect_moderation === false)
      return {
        status: "failed",
        error: { code: "content_policy_violation", message: "The provider's moderation withheld the video." },
      };
    if (typeof url !== "string" || !URL.canParse(url))
      throw new GatewayError(502, "api_error", "The provider's answer has no video");
    return { status: "completed", content: { address: url } };
  },
};

function parametersOf(fields: JsonObject): JsonObject {
  const parameters: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (name === "seconds") parameters.duration = wholeNumber(name, value);
    else if (name === "size") {
      const { ratio, resolution } = shapeOfSize(value, shapes);
      Object.assign(parameters, { aspect_ratio: ratio, resolution });
    } else if (name === "aspect_ratio" || name === "resolution") parameters[name] = value;
    else if (name !== "n" || Number(value) !== 1)
      throw invalidRequest(`The provider 'xai' has no counterpart for '${name}' in videos`, name);
  }
  return parameters;
}

function failed({ status, error }: JsonObject): VideoProgress {
  const said = isJsonObject(error) && typeof error.message === "string" ? error.message : "";
  const usually =
    status === "expired" ? "The provider has forgotten the video." : "The video could not be made.";
  return { status: "failed", error: { code: "video_generation_failed", message: said || usually } };
}
