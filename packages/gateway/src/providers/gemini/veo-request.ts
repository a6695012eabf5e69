import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import type { VideoStart, WantedVideo } from "../../contract/video-jobs.ts";
import { shapeOfSize, sizeOfShape, type VideoShapes, wholeNumber } from "../video-shape.ts";

/** Google's own parameters, which callers may send beside OpenAI's in either spelling. */
const ownParameters: Readonly<Record<string, string>> = {
  aspect_ratio: "aspectRatio",
  resolution: "resolution",
  negative_prompt: "negativePrompt",
  person_generation: "personGeneration",
  enhance_prompt: "enhancePrompt",
  seed: "seed",
};

/** Where the request goes, and what is different there. */
export interface VeoHost {
  /** The provider's name, for refusals. */
  readonly provider: string;
  /** Parameters by their name in snake case that this host has beside the common ones. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Parameters that every request has here. */
  readonly always?: JsonObject;
}

const shapes: Omit<VideoShapes, "provider"> = {
  ratios: ["16:9", "9:16"],
  lines: { "720p": 720, "1080p": 1080, "4k": 2160 },
  examples: "1280x720, 1920x1080 and 3840x2160, upright as well",
};
/** What Veo makes of a request that says nothing. */
const usual = { seconds: 8, ratio: "16:9", resolution: "720p" } as const;

/** A `predictLongRunning` request for one video. @throws GatewayError 400 naming the field without a counterpart */
export function veoRequest({ model, prompt, fields, image }: WantedVideo, host: VeoHost): VideoStart {
  const parameters = { ...host.always, ...parametersOf(fields, host) };
  const instance: JsonObject = { prompt };
  if (image !== undefined) instance.image = { bytesBase64Encoded: image.base64, mimeType: image.type };
  return {
    path: upstreamPath`/models/${model}:predictLongRunning`,
    body: { instances: [instance], parameters },
    seconds: String(parameters.durationSeconds ?? usual.seconds),
    size: sizeOf(parameters),
  };
}

function parametersOf(fields: JsonObject, { provider, parameters: more }: VeoHost): JsonObject {
  const names = new Map(Object.entries({ ...ownParameters, ...more }));
  const spellings = new Set(names.values());
  const parameters: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    const own = spellings.has(name) ? name : names.get(name);
    if (own !== undefined) parameters[own] = own === "seed" ? wholeNumber(name, value) : truth(value);
    else if (name === "seconds") parameters.durationSeconds = wholeNumber(name, value);
    else if (name === "size") {
      const { ratio, resolution } = shapeOfSize(value, { ...shapes, provider });
      Object.assign(parameters, { aspectRatio: ratio, resolution });
    } else if (name !== "n" || Number(value) !== 1)
      throw invalidRequest(`The provider '${provider}' has no counterpart for '${name}' in videos`, name);
  }
  return parameters;
}

/** Fields of a form arrive as text. */
function truth(value: unknown): unknown {
  return value === "true" || value === "false" ? value === "true" : value;
}

function sizeOf({ aspectRatio, resolution }: JsonObject): string {
  const shape = {
    ratio: String(aspectRatio ?? usual.ratio),
    resolution: String(resolution ?? usual.resolution),
  };
  return sizeOfShape(shape, shapes) ?? "";
}
