import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { ByteRoom } from "./byte-room.ts";
import { isCallAborted } from "./failures.ts";
import { fetchPublic } from "./fetch-public.ts";
import { headerValue } from "./headers.ts";
import type { Upstream } from "./upstream.ts";

/** Seconds for one file. */
const DOWNLOAD_TIMEOUT_SECONDS = 30;
/** Files that one request may name by address. */
const MAX_FILES = 100;

/** The refusal of pictures and files that are larger together than a request may be. */
export function filesTooLarge(mebibytes: number): string {
  return `The files that the request names by address are larger than ${mebibytes} MiB together.`;
}

/** What one request downloads: each address once, all of them together no larger than a request may be. */
export class MediaDownloads {
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
  readonly room: ByteRoom;
  readonly #files = new Map<string, Promise<Downloaded>>();

  /** @param limit bytes of all files together */
  constructor(upstream: Upstream, signal: AbortSignal, limit: number) {
    this.upstream = upstream;
    this.signal = signal;
    this.room = new ByteRoom(limit, filesTooLarge);
  }

  /** The file at an address, downloaded at the first question. */
  get(url: URL): Promise<Downloaded> {
    const known = this.#files.get(url.href);
    if (known !== undefined) return known;
    if (this.#files.size >= MAX_FILES)
      throw invalidRequest(`A request may name at most ${MAX_FILES} files by their addresses.`);
    const file = download(this, url);
    this.#files.set(url.href, file);
    return file;
  }
}

interface Downloaded {
  readonly bytes: Buffer;
  /** As its server says, without parameters; empty where it does not say. */
  readonly mediaType: string;
}

/**
 * A file as base64 text, with the media type that it really has.
 * @param room in the request, in which the same file may stand more than once
 * @param expected `image/*`, or what the file is taken for where its server does not say
 * @throws GatewayError 400 for an address that is not public or does not answer, and for anything but a picture where
 *   one is expected; 413
 */
export async function downloadMedia(
  downloads: MediaDownloads,
  room: ByteRoom,
  url: URL,
  expected: string,
): Promise<{ data: string; mediaType: string }> {
  const { bytes, mediaType: said } = await downloads.get(url);
  const vague = said === "" || said === "application/octet-stream" || said === "binary/octet-stream";
  const mediaType = (vague ? typeOfBytes(bytes) : said) ?? expected;
  const isPicture = mediaType.startsWith("image/") && mediaType !== "image/*";
  if (expected.startsWith("image/") && !isPicture)
    throw invalidRequest(`The file at ${url.host} is not a picture${said === "" ? "" : ` but ${said}`}.`);
  room.take(bytes.length);
  return { data: bytes.toString("base64"), mediaType };
}

async function download(downloads: MediaDownloads, url: URL): Promise<Downloaded> {
  const { upstream, signal } = downloads;
  try {
    const response = await fetchPublic(upstream, url.href, { signal, seconds: DOWNLOAD_TIMEOUT_SECONDS });
    const encoding = headerValue(response.headers, "content-encoding") ?? "identity";
    if (encoding !== "identity") {
      response.body.cancel();
      throw invalidRequest(`The file at ${url.host} is compressed (${encoding}).`);
    }
    const type = headerValue(response.headers, "content-type") ?? "";
    const chunks: Buffer[] = [];
    for await (const chunk of response.body) {
      downloads.room.take(chunk.length);
      chunks.push(chunk);
    }
    return { bytes: Buffer.concat(chunks), mediaType: type.split(";", 1)[0]!.trim().toLowerCase() };
  } catch (thrown) {
    throw asCallersError(thrown, url);
  }
}

/** That a caller's address does not answer is no failure of the deployment, so another one is not tried. */
function asCallersError(thrown: unknown, url: URL): unknown {
  if (!(thrown instanceof GatewayError) || isCallAborted(thrown) || thrown.status < 500) return thrown;
  const reason = thrown.status === 504 ? "did not arrive in time" : "could not be downloaded";
  return new GatewayError(400, "invalid_request_error", `The file at ${url.host} ${reason}.`, {
    cause: thrown,
  });
}

const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ["image/png", /^\x89PNG/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF....WEBP/s],
  ["application/pdf", /^%PDF/],
];

/** The media type that a file's first bytes show. */
function typeOfBytes(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString("latin1");
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
}
