import { ApiFailure } from "../http/api-failure.ts";
import type { JsonObject } from "../util/json.ts";

/** How a video ends: made, withheld by the moderation, or failed. */
export type VideoEnd = "made" | "withheld" | "failed";

/** A video job of xAI's; times in milliseconds. */
export interface XaiVideo {
  readonly id: string;
  readonly model: string;
  readonly seconds: number;
  readonly created: number;
  readonly runningMs: number;
  readonly bytes: number;
  readonly end: VideoEnd;
}

/** The videos of one account. */
export class XaiVideoStore {
  readonly #videos = new Map<string, XaiVideo>();

  add(video: XaiVideo): void {
    this.#videos.set(video.id, video);
  }

  /** Throws 404 for one that does not exist. */
  get(id: string): XaiVideo {
    const video = this.#videos.get(id);
    if (video === undefined) throw new ApiFailure(404, "The requested video was not found.");
    return video;
  }

  clear(): void {
    this.#videos.clear();
  }
}

/** Per cent of the job that is done at a time. */
export function progressOf({ created, runningMs }: XaiVideo, now: number): number {
  return runningMs === 0 ? 100 : Math.min(100, Math.floor((100 * (now - created)) / runningMs));
}

/** What a look at the job says (xAI API reference: Get video). @param url where the finished video is */
export function videoStatus(video: XaiVideo, now: number, url: string): JsonObject {
  const progress = progressOf(video, now);
  if (progress < 100) return { status: "pending", progress, model: video.model };
  if (video.end === "failed")
    return { status: "failed", error: { code: "internal_error", message: "The video could not be made." } };
  const { seconds: duration, model } = video;
  const isShown = video.end === "made";
  return {
    status: "done",
    progress,
    model,
    video: { url: isShown ? url : "", duration, respect_moderation: isShown },
  };
}
