import { readDirectives } from "../answers/directives.ts";
import { MIN_VIDEO, videoBytes } from "../answers/video-bytes.ts";
import { mergeBehaviour } from "../faults/behaviour.ts";
import { modelNotFound, notFound } from "../google/failures.ts";
import { checkedPrompt } from "../google/videos/check-video-request.ts";
import { endOf, filtered, type VideoOperation, withoutVideo } from "../google/videos/video-operation.ts";
import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { throwStatusFault } from "../http/status-fault.ts";
import { type JsonObject, stringOf } from "../util/json.ts";

/** Operations by their names. */
export type VertexVideos = Map<string, VideoOperation>;

const TYPE = "type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse";

/**
 * Veo on Vertex AI: start a video, and ask for its operation by a call of the model, which answers with the video
 * itself. Patterns are below a publisher's.
 */
export function videoRoutes(videos: VertexVideos): Route[] {
  const model = "/models/{model}";
  return [
    { method: "POST", pattern: `${model}:predictLongRunning`, handle: (exchange) => start(exchange, videos) },
    {
      method: "POST",
      pattern: `${model}:fetchPredictOperation`,
      handle: (exchange) => look(exchange, videos),
    },
  ];
}

function start(exchange: Exchange, videos: VertexVideos): Reply {
  const { state, params, text } = exchange;
  const { project, location, model = "" } = params;
  if (!model.startsWith("veo")) throw modelNotFound(model, "predictLongRunning");
  const directives = readDirectives(checkedPrompt(exchange.body, ["generateAudio", "storageUri"]));
  exchange.behaviour = mergeBehaviour(exchange.behaviour, directives.behaviour);
  throwStatusFault(exchange.behaviour);
  const place = `projects/${project}/locations/${location}/publishers/google/models/${model}`;
  const name = `${place}/operations/${state.ids.next("", text, 36).toLowerCase()}`;
  const { videoQueuedMs, videoRunningMs, videoBytes: bytes } = state.settings;
  videos.set(name, {
    name,
    created: state.clock(),
    runningMs: videoQueuedMs + videoRunningMs,
    bytes: Math.max(MIN_VIDEO, bytes),
    end: endOf(directives.flags),
    file: undefined,
  });
  return json({ name });
}

function look(exchange: Exchange, videos: VertexVideos): Reply {
  const operation = videos.get(stringOf(exchange.body.operationName) ?? "");
  if (operation === undefined) throw notFound("The operation was not found.");
  const { name, bytes } = operation;
  const unmade = withoutVideo(operation, exchange.state.clock());
  if (unmade === undefined) return json({ name, done: true, response: made(bytes) });
  if (unmade === "filtered") return json({ name, done: true, response: { "@type": TYPE, ...filtered } });
  return json(unmade);
}

function made(size: number): JsonObject {
  const bytes = Buffer.concat([...videoBytes(size, 0, size - 1)]);
  const video = { bytesBase64Encoded: bytes.toString("base64"), mimeType: "video/mp4" };
  return { "@type": TYPE, raiMediaFilteredCount: 0, videos: [video] };
}
