import { readDirectives } from "../answers/directives.ts";
import { MIN_VIDEO, videoBytes } from "../answers/video-bytes.ts";
import { mergeBehaviour } from "../faults/behaviour.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import { rangedReply } from "../http/ranged.ts";
import { json, type Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { throwStatusFault } from "../http/status-fault.ts";
import { numberOf, objectOf, stringOf } from "../util/json.ts";
import { progressOf, type VideoEnd, videoStatus, type XaiVideoStore } from "./video-store.ts";

const aspectRatios = ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3"];
const resolutions = ["480p", "720p"];
const MAX_SECONDS = 15;
const DEFAULT_SECONDS = 8;

/** Start a video from a prompt or from another video, and look how far it is. Paths are below `/v1`. */
export function videoRoutes(videos: XaiVideoStore, filePrefix: string): Route[] {
  return [
    { method: "POST", pattern: "/videos/generations", handle: (exchange) => start(exchange, videos) },
    { method: "POST", pattern: "/videos/edits", handle: (exchange) => edit(exchange, videos) },
    { method: "GET", pattern: "/videos/{id}", handle: (exchange) => look(exchange, videos, filePrefix) },
  ];
}

/** The bytes of finished videos, which are at a host that asks for no key. */
export function fileRoutes(videos: XaiVideoStore): Route[] {
  return [{ method: "GET", pattern: "/{id}.mp4", handle: (exchange) => content(exchange, videos) }];
}

function edit(exchange: Exchange, videos: XaiVideoStore): Reply {
  if (stringOf(objectOf(exchange.body.video).url) === undefined) throw invalid("video.url is required");
  for (const name of ["duration", "aspect_ratio", "resolution"])
    if (exchange.body[name] !== undefined) throw invalid(`${name} is not supported for edits`);
  return start(exchange, videos);
}

function start(exchange: Exchange, videos: XaiVideoStore): Reply {
  const { state, body, text } = exchange;
  const model = stringOf(body.model) ?? "";
  if (!model.includes("video")) throw new ApiFailure(404, `The model ${model} does not exist.`);
  const prompt = stringOf(body.prompt);
  if (prompt === undefined || prompt === "") throw invalid("prompt is required");
  const seconds = body.duration === undefined ? DEFAULT_SECONDS : numberOf(body.duration);
  if (seconds === undefined || !Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS)
    throw invalid(`duration must be from 1 to ${MAX_SECONDS} seconds`);
  oneOf("aspect_ratio", body.aspect_ratio, aspectRatios);
  oneOf("resolution", body.resolution, resolutions);
  if (body.image !== undefined && stringOf(objectOf(body.image).url) === undefined)
    throw invalid("image.url is required");
  const directives = readDirectives(prompt);
  exchange.behaviour = mergeBehaviour(exchange.behaviour, directives.behaviour);
  throwStatusFault(exchange.behaviour);
  const { videoQueuedMs, videoRunningMs, videoBytes: bytes } = state.settings;
  const id = state.ids.next("", text, 32).toLowerCase();
  const job = { id, model, seconds, created: state.clock(), runningMs: videoQueuedMs + videoRunningMs };
  videos.add({ ...job, bytes: Math.max(MIN_VIDEO, bytes), end: endOf(directives.flags) });
  return json({ request_id: id });
}

function endOf(flags: ReadonlySet<string>): VideoEnd {
  if (flags.has("fail")) return "failed";
  return flags.has("content-policy") ? "withheld" : "made";
}

function oneOf(name: string, value: unknown, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(String(value)))
    throw invalid(`${name} must be one of ${choices.join(", ")}`);
}

function invalid(message: string): ApiFailure {
  return new ApiFailure(400, message);
}

function look(exchange: Exchange, videos: XaiVideoStore, filePrefix: string): Reply {
  const video = videos.get(exchange.params.id ?? "");
  const url = `http://${exchange.request.headers.host ?? "localhost"}${filePrefix}/${video.id}.mp4`;
  const body = videoStatus(video, exchange.state.clock(), url);
  return { kind: "json", status: body.status === "pending" ? 202 : 200, body };
}

function content(exchange: Exchange, videos: XaiVideoStore): Reply {
  const video = videos.get(exchange.params.id ?? "");
  if (progressOf(video, exchange.state.clock()) < 100) throw new ApiFailure(404, "Not found.");
  return rangedReply(exchange, {
    contentType: "video/mp4",
    size: video.bytes,
    etag: video.id,
    read: (from, to) => videoBytes(video.bytes, from, to),
  });
}
