import { GatewayError } from "../../contract/errors.ts";
import { filledText, isJsonObject, type JsonObject, objectOf, textsOf } from "../../contract/json.ts";
import { upstreamSteps } from "../../contract/upstream-path.ts";
import type { VideoJobs, VideoProgress } from "../../contract/video-jobs.ts";
import { veoRequest } from "./veo-request.ts";

/** Ids may come from callers: nothing but an operation's name may become part of an address. */
const operationName = /^models\/[\w.-]+\/operations\/[\w-]+$/;
/** The address of a generated file, at Google or behind a proxy in front of it. */
const fileAddress = /\/v1(?:alpha|beta)?\/(files\/[\w-]+)(?::download)?(?:\?|$)/;

/** Google's video models (Gemini API reference: `models.predictLongRunning`, Generate videos with Veo). */
export const veo: VideoJobs = {
  keptSeconds: 2 * 86_400,
  start: (wanted) => veoRequest(wanted, { provider: "gemini" }),
  idOf: ({ name }) => (typeof name === "string" && operationName.test(name) ? name : undefined),
  look: (id) => (operationName.test(id) ? { method: "GET", path: upstreamSteps(id) } : undefined),
  read(operation): VideoProgress {
    const ended = withoutVideo(operation);
    if (ended !== undefined) return ended;
    const response = objectOf(objectOf(operation.response).generateVideoResponse);
    const address = addressIn(response);
    if (address === undefined) return filtered(response);
    const file = fileAddress.exec(address)?.[1];
    if (file === undefined)
      throw new GatewayError(502, "api_error", "The provider's video is at an unexpected address");
    return { status: "completed", content: { file: upstreamSteps(file) } };
  },
};

function addressIn({ generatedSamples }: JsonObject): string | undefined {
  const [sample] = Array.isArray(generatedSamples) ? generatedSamples.filter(isJsonObject) : [];
  const { uri } = objectOf(sample?.video);
  return typeof uri === "string" ? uri : undefined;
}

/** An operation that runs or failed; `undefined` for one that has a response. */
export function withoutVideo({ done, error }: JsonObject): VideoProgress | undefined {
  if (done !== true) return { status: "in_progress" };
  return isJsonObject(error) ? failed("video_generation_failed", error.message) : undefined;
}

/** Done without a video: Google's filters for responsible AI stopped it, and say why. */
export function filtered({ raiMediaFilteredReasons: reasons }: JsonObject): VideoProgress {
  return failed(
    "content_policy_violation",
    textsOf(reasons).join(" ") || "The provider's filters stopped the video.",
  );
}

function failed(code: string, message: unknown): VideoProgress {
  const text = filledText(message) ?? "The video could not be made.";
  return { status: "failed", error: { code, message: text } };
}
