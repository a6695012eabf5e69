import type { Exchange, Reply } from "../../contract/exchange.ts";
import { contentHead } from "./content-head.ts";
import type { KeptVideo, VideoKeeper } from "./video-keeper.ts";

/** Answers from the gateway's own copy of a video. @throws GatewayError 416 */
export function keptContent(
  keeper: VideoKeeper,
  kept: KeptVideo,
  { headers: wanted }: Exchange,
  described: Readonly<Record<string, string>>,
): Reply {
  const { status, headers, from, length } = contentHead(kept.bytes, kept.etag, wanted);
  const all = { ...described, ...headers };
  if (status === 304) return { status, headers: all, body: "" };
  return { status, headers: all, stream: keeper.read(kept, from, length) };
}
