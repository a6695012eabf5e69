import { notFound } from "../failures.ts";

/** A video job; times in milliseconds. */
export interface Video {
  readonly id: string;
  readonly createdMs: number;
  readonly queuedMs: number;
  readonly runningMs: number;
  readonly model: string;
  readonly prompt: string;
  readonly seconds: string;
  readonly size: string;
  readonly remixedFrom: string | null;
  /** Bytes of the reference that was uploaded with it. */
  readonly referenceBytes: number;
  /** A directive in the prompt asked for a job that fails. */
  readonly fails: boolean;
  readonly bytes: number;
}

/** The videos of one account. */
export class VideoStore {
  #videos = new Map<string, Video>();

  add(video: Video): void {
    this.#videos.set(video.id, video);
  }

  /** Throws 404 for one that does not exist. */
  get(id: string): Video {
    const video = this.#videos.get(id);
    if (video === undefined) throw notFound(`Video with id '${id}' not found.`, null);
    return video;
  }

  /** All videos, oldest first. */
  list(): Video[] {
    return [...this.#videos.values()];
  }

  delete(id: string): void {
    this.get(id);
    this.#videos.delete(id);
  }

  clear(): void {
    this.#videos.clear();
  }
}

/** The `video` object at a time in milliseconds. */
export function videoObject(video: Video, now: number) {
  const { status, progress } = progressAt(video, now);
  const endedMs = video.createdMs + video.queuedMs + video.runningMs;
  const done = status === "completed";
  return {
    id: video.id,
    object: "video",
    created_at: Math.floor(video.createdMs / 1000),
    status,
    progress,
    completed_at: done ? Math.floor(endedMs / 1000) : null,
    expires_at: done ? Math.floor(endedMs / 1000) + 86_400 : null,
    error:
      status === "failed"
        ? { code: "video_generation_failed", message: "The video could not be made." }
        : null,
    model: video.model,
    prompt: video.prompt,
    seconds: video.seconds,
    size: video.size,
    quality: "standard",
    remixed_from_video_id: video.remixedFrom,
  };
}

/** Status of a video and how far it is, in percent. */
export function progressAt(video: Video, now: number): { status: string; progress: number } {
  const age = now - video.createdMs - video.queuedMs;
  if (age < 0) return { status: "queued", progress: 0 };
  if (age < video.runningMs)
    return { status: "in_progress", progress: Math.floor((100 * age) / video.runningMs) };
  return video.fails ? { status: "failed", progress: 0 } : { status: "completed", progress: 100 };
}
