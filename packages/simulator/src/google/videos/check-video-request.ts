import { isObject, type JsonObject, numberOf, objectOf, stringOf } from "../../util/json.ts";
import { invalidArgument } from "../failures.ts";

const aspectRatios = ["16:9", "9:16"];
const resolutions = ["720p", "1080p", "4k"];
const MIN_SECONDS = 4;
const MAX_SECONDS = 8;
const known: ReadonlySet<string> = new Set([
  "aspectRatio",
  "durationSeconds",
  "enhancePrompt",
  "negativePrompt",
  "personGeneration",
  "resolution",
  "sampleCount",
  "seed",
]);

/**
 * The prompt of a `predictLongRunning` body, checked as Veo checks it (Gemini API reference: Veo parameters).
 * Throws `ApiFailure`.
 * @param more parameters that the host has beside the common ones
 */
export function checkedPrompt(body: JsonObject, more: readonly string[] = []): string {
  const instances = Array.isArray(body.instances) ? body.instances.filter(isObject) : [];
  const [instance] = instances;
  if (instance === undefined || instances.length > 1)
    throw invalidArgument("Request must contain exactly one instance.");
  const prompt = stringOf(instance.prompt);
  if (prompt === undefined || prompt === "") throw invalidArgument("`prompt` must be a non-empty string.");
  if (instance.image !== undefined) checkImage(objectOf(instance.image));
  checkParameters(objectOf(body.parameters), more);
  return prompt;
}

function checkImage({ bytesBase64Encoded, mimeType }: JsonObject): void {
  if (stringOf(bytesBase64Encoded) === undefined || !stringOf(mimeType)?.startsWith("image/"))
    throw invalidArgument("`image` must have `bytesBase64Encoded` and the `mimeType` of an image.");
}

function checkParameters(parameters: JsonObject, more: readonly string[]): void {
  for (const name of Object.keys(parameters)) {
    if (!known.has(name) && !more.includes(name))
      throw invalidArgument(
        `\`${name}\` isn't supported by this model. Please remove it or refer to the Gemini API documentation for supported usage.`,
      );
  }
  const { durationSeconds, aspectRatio, resolution } = parameters;
  const seconds = numberOf(durationSeconds);
  if (
    durationSeconds !== undefined &&
    (seconds === undefined || !Number.isInteger(seconds) || seconds < MIN_SECONDS || seconds > MAX_SECONDS)
  )
    throw invalidArgument(
      `The number value for \`durationSeconds\` is out of bound. Please provide a value between ${MIN_SECONDS} and ${MAX_SECONDS}, inclusive.`,
    );
  checkChoice("aspectRatio", aspectRatio, aspectRatios);
  checkChoice("resolution", resolution, resolutions);
  if (resolution !== undefined && resolution !== "720p" && seconds !== undefined && seconds !== MAX_SECONDS)
    throw invalidArgument(
      `\`resolution\` ${String(resolution)} needs a \`durationSeconds\` of ${MAX_SECONDS}.`,
    );
}

function checkChoice(name: string, value: JsonObject[string], choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(String(value)))
    throw invalidArgument(`\`${name}\` must be one of ${choices.join(", ")}.`);
}
