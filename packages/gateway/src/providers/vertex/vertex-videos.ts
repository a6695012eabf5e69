import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import type { VideoJobs, VideoProgress } from "../../contract/video-jobs.ts";
import { filtered, withoutVideo } from "../gemini/veo.ts";
import { veoRequest } from "../gemini/veo-request.ts";

/** Ids may come from callers: nothing but an operation's name may become part of an address. */
const operationName =
  /^projects\/[\w.:-]+\/locations\/[\w-]+\/publishers\/google\/models\/([\w.@-]+)\/operations\/[\w-]+$/;

/** Veo on Vertex AI, which asks for operations by a call of the model and answers with the video itself. */
export const vertexVideos: VideoJobs = {
  start: (wanted) =>
    veoRequest(wanted, {
      provider: "vertex_ai",
      parameters: { generate_audio: "generateAudio" },
      always: { sampleCount: 1 },
    }),
  idOf: ({ name }) => (typeof name === "string" && operationName.test(name) ? name : undefined),
  look(id) {
    const model = operationName.exec(id)?.[1];
    if (model === undefined) return undefined;
    const path = upstreamPath`/models/${model}:fetchPredictOperation`;
    return { method: "POST", path, body: { operationName: id }, videoMember: "bytesBase64Encoded" };
  },
  read(operation): VideoProgress {
    const ended = withoutVideo(operation);
    if (ended !== undefined) return ended;
    if (videoIn(operation) !== undefined) return { status: "completed", content: { inAnswer: true } };
    return filtered(objectOf(operation.response));
  },
};

function videoIn(operation: JsonObject): JsonObject | undefined {
  const { videos } = objectOf(operation.response);
  return Array.isArray(videos) ? videos.find(isJsonObject) : undefined;
}
