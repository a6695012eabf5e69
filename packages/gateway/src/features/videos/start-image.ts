import { readFile } from "node:fs/promises";
import { type GatewayError, invalidRequest, requestTooLarge } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { isJsonObject } from "../../contract/json.ts";
import type { StartImage } from "../../contract/video-jobs.ts";
import { fetchPublic } from "../../platform/transport/fetch-public.ts";
import type { NewVideo, VideoSourceDeps } from "./video-source.ts";

const FIELD = "input_reference";
/** Bytes that an image may have, which travels inside of a JSON request. */
const MAX_BYTES = 20 * 1024 * 1024;

/** First bytes of the images that video models take. */
const signatures: readonly (readonly [type: string, latin1: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];

/**
 * The image that a video is to begin with: a form's file part, or an object with `image_url` (an address or a `data:`
 * URL) or `file_id`.
 * @throws GatewayError 400 for anything that is not a PNG, JPEG or WebP image, 413 for one that is too large
 */
export async function startImage(
  deps: VideoSourceDeps,
  { fields, form, exchange }: NewVideo,
): Promise<StartImage | undefined> {
  const file = form?.files.find((part) => part.field === FIELD);
  if (file !== undefined) {
    if (file.bytes > MAX_BYTES) throw tooLarge();
    return imageOf(await readFile(file.path));
  }
  const { input_reference: reference } = fields;
  if (reference === undefined || reference === null) return undefined;
  if (isJsonObject(reference)) {
    const { image_url: url, file_id: id } = reference;
    if (typeof url === "string") return imageOf(await bytesAt(deps, url, exchange));
    if (typeof id === "string") return imageOf(await bytesOfFile(deps, id, exchange));
  }
  throw invalidRequest(`${FIELD} must be a file part, or an object with image_url or file_id`, FIELD);
}

async function bytesAt({ upstream }: VideoSourceDeps, url: string, { signal }: Exchange): Promise<Buffer> {
  const [, data] = /^data:[^,]{0,200};base64,([\s\S]*)$/.exec(url) ?? [];
  if (data !== undefined) return Buffer.from(data, "base64");
  return collected((await fetchPublic(upstream, url, { signal })).body);
}

async function bytesOfFile({ files }: VideoSourceDeps, id: string, exchange: Exchange): Promise<Buffer> {
  const located = await files.locate(id, exchange.principal, exchange.call);
  return collected(await files.open(located, exchange, exchange.principal));
}

async function collected(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What a client says of a file's type is often wrong or nothing; its first bytes are not. */
function imageOf(bytes: Buffer): StartImage {
  if (bytes.length > MAX_BYTES) throw tooLarge();
  const head = bytes.toString("latin1", 0, 16);
  const type = signatures.find(([, signature]) => signature.test(head))?.[0];
  if (type === undefined) throw invalidRequest(`${FIELD} must be a PNG, JPEG or WebP image`, FIELD);
  return { type, base64: bytes.toString("base64") };
}

function tooLarge(): GatewayError {
  return requestTooLarge(`${FIELD} is larger than ${MAX_BYTES} bytes`, FIELD);
}
