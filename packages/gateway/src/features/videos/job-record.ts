import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { VideoProgress } from "../../contract/video-jobs.ts";
import type { ObjectRow } from "../../core/objects/objects-table.ts";

/** What the gateway stores of a video that is a job at its provider, which does not repeat what was asked of it. */
export interface JobRecord {
  readonly model: string;
  readonly prompt: string;
  readonly seconds: string;
  readonly size: string;
  /** The video that it was made of, by the id that was handed out for it. */
  readonly remixedFrom?: string;
  /** How it ended, from the first time that the gateway saw it. */
  readonly end?: Exclude<VideoProgress, { status: "in_progress" }>;
  /** Milliseconds since the epoch. */
  readonly endedAt?: number;
}

/** The record in a row; ids that were not made through this store have none. */
export function jobRecord(row: ObjectRow | undefined): JobRecord | undefined {
  if (row === undefined) return undefined;
  const { job } = JSON.parse(row.data) as JsonObject;
  return isJsonObject(job) ? (job as unknown as JobRecord) : undefined;
}

/** What a video object says beside its job. */
export interface VideoTimes {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly endedAt: number | undefined;
  /** Seconds that the provider keeps it, where it says so. */
  readonly keptSeconds: number | undefined;
}

/** OpenAI's video object for a job (OpenAI API reference: The video object), its id still to come. */
export function videoOfJob(
  record: JobRecord | undefined,
  progress: VideoProgress | { readonly status: "queued" },
  { createdAt, endedAt, keptSeconds }: VideoTimes,
): JsonObject {
  const done = progress.status === "completed";
  const completedAt = done && endedAt !== undefined ? Math.floor(endedAt / 1000) : null;
  return {
    object: "video",
    created_at: Math.floor(createdAt / 1000),
    status: progress.status,
    progress: done ? 100 : (("progress" in progress ? progress.progress : undefined) ?? 0),
    completed_at: completedAt,
    expires_at: completedAt === null || keptSeconds === undefined ? null : completedAt + keptSeconds,
    error: progress.status === "failed" ? { ...progress.error } : null,
    model: record?.model ?? "",
    prompt: record?.prompt ?? null,
    seconds: record?.seconds ?? "",
    size: record?.size ?? "",
    remixed_from_video_id: record?.remixedFrom ?? null,
  };
}
