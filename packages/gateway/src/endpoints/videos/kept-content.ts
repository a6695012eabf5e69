import { GatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import { byteRange, isKnownVersion } from "../../videos/byte-range.ts";
import type { KeptVideo, VideoKeeper } from "../../videos/video-keeper.ts";

/** Answers from the gateway's own copy of a video. @throws GatewayError 416 */
export function keptContent(
  keeper: VideoKeeper,
  kept: KeptVideo,
  { headers }: Exchange,
  described: Readonly<Record<string, string>>,
): Reply {
  const { bytes, etag } = kept;
  const common = { ...described, etag, "accept-ranges": "bytes" };
  if (isKnownVersion(headers, etag)) return { status: 304, headers: common, body: "" };
  const range = byteRange(headers, bytes, etag);
  if (range === "unsatisfiable")
    throw new GatewayError(416, "invalid_request_error", `The video has ${bytes} bytes`, {
      headers: { "content-range": `bytes */${bytes}` },
    });
  const { from, length } = range ?? { from: 0, length: bytes };
  const part = range === undefined ? {} : { "content-range": `bytes ${from}-${from + length - 1}/${bytes}` };
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...common, ...part, "content-length": String(length) },
    stream: keeper.read(kept, from, length),
  };
}
