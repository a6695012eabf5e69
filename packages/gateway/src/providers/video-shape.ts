import { invalidRequest } from "../contract/errors.ts";

/** What a provider calls the sizes of its videos. */
export interface VideoShapes {
  readonly provider: string;
  /** Its aspect ratios, such as `16:9`. */
  readonly ratios: readonly string[];
  /** Its resolutions by name, with the pixels of the shorter side. */
  readonly lines: Readonly<Record<string, number>>;
  /** Examples for the refusal of other sizes. */
  readonly examples: string;
}

/** An aspect ratio and a resolution in the provider's words. */
export interface VideoShape {
  readonly ratio: string;
  readonly resolution: string;
}

/** Sizes are even numbers of pixels, so that 854x480 is 16:9 as well. */
const TOLERANCE = 0.01;

/**
 * OpenAI's size, such as `1280x720`, in a provider's words.
 * @throws GatewayError 400 for a size that the provider does not make
 */
export function shapeOfSize(size: unknown, { provider, ratios, lines, examples }: VideoShapes): VideoShape {
  const [, width, height] = (/^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? []).map(Number);
  const short = Math.min(width ?? 0, height ?? 0);
  const resolution = Object.keys(lines).find((name) => lines[name] === short);
  const ratio = ratios.find((name) => Math.abs(width! / height! / quotientOf(name) - 1) < TOLERANCE);
  if (resolution === undefined || ratio === undefined)
    throw invalidRequest(
      `The provider '${provider}' makes no videos of the size '${String(size).slice(0, 40)}'. Supported are ${examples}.`,
      "size",
    );
  return { ratio, resolution };
}

/** The size that a shape has in OpenAI's words. */
export function sizeOfShape(
  { ratio, resolution }: VideoShape,
  { lines }: Pick<VideoShapes, "lines">,
): string | undefined {
  const short = lines[resolution];
  const value = quotientOf(ratio);
  if (short === undefined || !(value > 0)) return undefined;
  const long = 2 * Math.round((short * Math.max(value, 1 / value)) / 2);
  return value >= 1 ? `${long}x${short}` : `${short}x${long}`;
}

/** Width divided by height. */
function quotientOf(ratio: string): number {
  const [width, height] = ratio.split(":").map(Number);
  return width! / height!;
}

/** Fields of a form arrive as text. @throws GatewayError 400 for anything but a whole number */
export function wholeNumber(name: string, value: unknown): number {
  if (!/^\d{1,10}$/.test(String(value))) throw invalidRequest(`${name} must be a whole number`, name);
  return Number(value);
}
