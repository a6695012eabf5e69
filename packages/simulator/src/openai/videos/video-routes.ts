import { readDirectives } from "../../answers/directives.ts";
import { MIN_VIDEO, videoBytes } from "../../answers/video-bytes.ts";
import { mergeBehaviour } from "../../faults/behaviour.ts";
import type { Exchange } from "../../http/exchange.ts";
import { rangedReply } from "../../http/ranged.ts";
import { readJson } from "../../http/read-json.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { throwStatusFault } from "../../http/status-fault.ts";
import { readForm } from "../../http/upload.ts";
import { type JsonObject, stringOf } from "../../util/json.ts";
import { invalidRequest, invalidValue, missingParameter, modelNotFound } from "../failures.ts";
import { pageOf, usualPages } from "../lists/page.ts";
import { progressAt, type Video, type VideoStore, videoObject } from "./video-store.ts";

const variants: Readonly<Record<string, { contentType: string; share: number }>> = {
  video: { contentType: "video/mp4", share: 1 },
  thumbnail: { contentType: "image/webp", share: 0.01 },
  spritesheet: { contentType: "image/jpeg", share: 0.05 },
};

/** Create, remix, list, retrieve, download and delete videos. */
export function videoRoutes(videos: VideoStore): Route[] {
  const one = "/videos/{id}";
  const found = (exchange: Exchange): Video => videos.get(exchange.params.id ?? "");
  return [
    { method: "POST", pattern: "/videos", handle: (exchange) => create(exchange, videos), body: "stream" },
    { method: "GET", pattern: "/videos", handle: (exchange) => list(exchange, videos) },
    {
      method: "GET",
      pattern: one,
      handle: (exchange) => json(videoObject(found(exchange), exchange.state.clock())),
    },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(exchange, videos) },
    { method: "GET", pattern: `${one}/content`, handle: (exchange) => content(exchange, found(exchange)) },
    {
      method: "POST",
      pattern: `${one}/remix`,
      handle: (exchange) => remix(exchange, videos, found(exchange)),
    },
  ];
}

async function create(exchange: Exchange, videos: VideoStore): Promise<Reply> {
  let settings: JsonObject;
  let referenceBytes = 0;
  if (exchange.request.headers["content-type"]?.startsWith("multipart/")) {
    const form = await readForm(exchange, "input_reference");
    settings = { ...form.fields };
    if (form.file !== undefined) {
      referenceBytes = form.file.blob.bytes;
      // Only its size is of use here; the room is better kept for files.
      await exchange.state.blobs.delete(form.file.blob);
    }
  } else {
    await readJson(exchange);
    settings = exchange.body;
  }
  return start(exchange, videos, settings, { referenceBytes, remixedFrom: null });
}

function remix(exchange: Exchange, videos: VideoStore, source: Video): Reply {
  const { model, seconds, size } = source;
  const settings = { model, seconds, size, prompt: exchange.body.prompt };
  return start(exchange, videos, settings, { referenceBytes: 0, remixedFrom: source.id });
}

function start(
  exchange: Exchange,
  videos: VideoStore,
  settings: JsonObject,
  origin: Pick<Video, "referenceBytes" | "remixedFrom">,
): Reply {
  const { state } = exchange;
  const prompt = stringOf(settings.prompt);
  if (prompt === undefined || prompt === "") throw missingParameter("prompt");
  const model = stringOf(settings.model) ?? "sora-2";
  if (model.startsWith("unknown")) throw modelNotFound(model);
  exchange.received.model = model;
  const seconds = String(settings.seconds ?? "4");
  if (!/^\d{1,2}$/.test(seconds)) {
    throw invalidValue("seconds", `Invalid value: '${seconds}'. Supported values are: '4', '8', and '12'.`);
  }
  const directives = readDirectives(prompt);
  exchange.behaviour = mergeBehaviour(exchange.behaviour, directives.behaviour);
  throwStatusFault(exchange.behaviour);
  const video: Video = {
    id: state.ids.next("video_", prompt, 48),
    createdMs: state.clock(),
    queuedMs: state.settings.videoQueuedMs,
    runningMs: state.settings.videoRunningMs,
    model,
    prompt,
    seconds,
    size: stringOf(settings.size) ?? "720x1280",
    ...origin,
    fails: directives.flags.has("fail"),
    bytes: Math.max(MIN_VIDEO, state.settings.videoBytes),
  };
  videos.add(video);
  return json(videoObject(video, video.createdMs));
}

function list(exchange: Exchange, videos: VideoStore): Reply {
  const page = pageOf(videos.list(), (video) => video.id, exchange.query, usualPages);
  return json({ ...page, data: page.data.map((video) => videoObject(video, exchange.state.clock())) });
}

function remove(exchange: Exchange, videos: VideoStore): Reply {
  const id = exchange.params.id ?? "";
  videos.delete(id);
  return json({ id, object: "video.deleted", deleted: true });
}

function content(exchange: Exchange, video: Video): Reply {
  if (progressAt(video, exchange.state.clock()).status !== "completed") {
    throw invalidRequest("Video is not ready yet, use GET /v1/videos/{video_id} to check status.");
  }
  const name = exchange.query.get("variant") ?? "video";
  const variant = variants[name];
  if (variant === undefined) {
    throw invalidValue(
      "variant",
      `Invalid value: '${name}'. Supported values are: ${Object.keys(variants).join(", ")}.`,
    );
  }
  const size = Math.max(MIN_VIDEO, Math.floor(video.bytes * variant.share));
  return rangedReply(exchange, {
    contentType: variant.contentType,
    size,
    etag: `${video.id}-${name}`,
    read: (from, to) => videoBytes(size, from, to),
  });
}
