import { checkQuery } from "../../contract/check.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import { optionalJsonBody } from "../../contract/json-body.ts";
import { governed } from "../../core/objects/governed-call.ts";
import { queryForProvider } from "../../core/objects/list-page.ts";
import { headerValue, type ResponseHeaders } from "../../platform/transport/headers.ts";
import { addressVideo, steeredVideo, videoDataAsFound } from "./address-video.ts";
import { contentHead } from "./content-head.ts";
import { openVideoSource, type VideoDeps } from "./open-video-source.ts";
import { contentQuery } from "./schema.ts";
import type { StoredVideo, StoredVideos } from "./stored-videos.ts";

/** Request headers that ask for a part or for news only (RFC 9110, sections 13 and 14). */
const conditional = ["range", "if-range", "if-none-match", "if-modified-since"] as const;
const described = ["content-length", "content-range", "accept-ranges", "etag", "last-modified"] as const;

/** The video itself, or another variant of it, passed on while it arrives. */
export async function videoContent(deps: VideoDeps, exchange: Exchange): Promise<Reply> {
  const body = await optionalJsonBody(exchange);
  const addressed = await addressVideo(deps, exchange, body);
  const query = exchange.query.size === 0 ? {} : { query_params: Object.fromEntries(exchange.query) };
  const data = { ...videoDataAsFound(addressed, body), ...query };
  return governed(deps, exchange, data, async (changed) => {
    const { video, steered } = await steeredVideo(deps, exchange, addressed, data, changed);
    const query = queryForProvider(steered.query);
    const { variant } = checkQuery(contentQuery, steered.query);
    const copy = isVideo(variant) ? await deps.stored?.find(video.id) : undefined;
    if (copy !== undefined)
      return storedContent(deps.stored!, copy, exchange, contentHeaders({}, video.id, variant));
    const {
      status,
      headers,
      body: stream,
    } = await openVideoSource(deps, video.origin).content(
      video,
      { query, headers: conditionsOf(exchange) },
      exchange,
    );
    return { status, headers: contentHeaders(headers, video.id, variant), stream };
  });
}

function isVideo(variant: string | undefined): boolean {
  return variant === undefined || variant === "video";
}

function conditionsOf({ headers }: Exchange): Record<string, string> {
  return Object.fromEntries(
    conditional.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : [])),
  );
}

/** Spec: `video/mp4` as an attachment named after the video; thumbnails and spritesheets keep the provider's type. */
function contentHeaders(
  upstream: ResponseHeaders,
  id: string,
  variant: string | undefined,
): Record<string, string> {
  const type = isVideo(variant)
    ? "video/mp4"
    : (headerValue(upstream, "content-type") ?? "application/octet-stream");
  const name = `video_${id}`;
  const kept = described.flatMap((header) => {
    const value = headerValue(upstream, header);
    return value === undefined ? [] : [[header, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    "content-type": type,
    "content-disposition": `attachment; filename=${fileName(isVideo(variant) ? `${name}.mp4` : name)}`,
  };
}

/** Answers from the gateway's own copy of a video. @throws GatewayError 416 */
function storedContent(
  stored: StoredVideos,
  copy: StoredVideo,
  { headers: wanted }: Exchange,
  described: Readonly<Record<string, string>>,
): Reply {
  const { status, headers, from, length } = contentHead(copy.bytes, copy.etag, wanted);
  const all = { ...described, ...headers };
  if (status === 304) return { status, headers: all, body: "" };
  return { status, headers: all, stream: stored.read(copy, from, length) };
}

/** A parameter's value: as it is where it is a token, else quoted (RFC 9110, section 5.6). */
function fileName(name: string): string {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
}
