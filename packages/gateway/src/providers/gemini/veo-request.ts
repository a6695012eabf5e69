import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { VideoStart, WantedVideo } from "../../contract/video-jobs.ts";

/** Google's own parameters, which callers may send beside OpenAI's in either spelling. */
const ownParameters: Readonly<Record<string, string>> = {
  aspect_ratio: "aspectRatio",
  resolution: "resolution",
  negative_prompt: "negativePrompt",
  person_generation: "personGeneration",
  enhance_prompt: "enhancePrompt",
  seed: "seed",
};
const ownSpellings = new Set(Object.values(ownParameters));

/** Lines of a resolution by its name; pixels of the shorter side. */
const lines: Readonly<Record<string, number>> = { "720p": 720, "1080p": 1080, "4k": 2160 };
/** What Veo makes of a request that says nothing. */
const usual = { seconds: 8, aspectRatio: "16:9", resolution: "720p" } as const;

/** A `predictLongRunning` request for one video. @throws GatewayError 400 naming the field without a counterpart */
export function veoRequest({ model, prompt, fields, image }: WantedVideo): VideoStart {
  const parameters = parametersOf(fields);
  const instance: JsonObject = { prompt };
  if (image !== undefined) instance.image = { bytesBase64Encoded: image.base64, mimeType: image.type };
  return {
    path: `/models/${encodeURIComponent(model)}:predictLongRunning`,
    body: { instances: [instance], parameters },
    seconds: String(parameters.durationSeconds ?? usual.seconds),
    size: sizeOf(parameters),
  };
}

function parametersOf(fields: JsonObject): JsonObject {
  const parameters: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    const own = ownSpellings.has(name) ? name : ownParameters[name];
    if (own !== undefined) parameters[own] = own === "seed" ? wholeNumber(name, value) : value;
    else if (name === "seconds") parameters.durationSeconds = wholeNumber(name, value);
    else if (name === "size") Object.assign(parameters, shapeOf(value));
    else if (name !== "n" || Number(value) !== 1)
      throw invalidRequest(`The provider 'gemini' has no counterpart for '${name}' in videos`, name);
  }
  return parameters;
}

/** Fields of a form arrive as text. */
function wholeNumber(name: string, value: unknown): number {
  if (!/^\d{1,10}$/.test(String(value))) throw invalidRequest(`${name} must be a whole number`, name);
  return Number(value);
}

function shapeOf(size: unknown): JsonObject {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? [];
  const [long, short] = [Number(width), Number(height)].sort((left, right) => right - left) as [
    number,
    number,
  ];
  const resolution = Object.keys(lines).find((name) => lines[name] === short);
  if (resolution === undefined || long * 9 !== short * 16)
    throw invalidRequest(
      `The provider 'gemini' makes no videos of the size '${String(size).slice(0, 40)}'. Supported are 1280x720, 1920x1080 and 3840x2160, upright as well.`,
      "size",
    );
  return { aspectRatio: Number(width) > Number(height) ? "16:9" : "9:16", resolution };
}

function sizeOf({ aspectRatio, resolution }: JsonObject): string {
  const short = lines[String(resolution ?? usual.resolution)] ?? lines[usual.resolution]!;
  const long = (short / 9) * 16;
  return (aspectRatio ?? usual.aspectRatio) === "9:16" ? `${short}x${long}` : `${long}x${short}`;
}
