import { createHash } from "node:crypto";
import { newCallRecord } from "../../contract/call-record.ts";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { masterPrincipal } from "../../core/auth/master-principal.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import type { ObjectStore } from "../../core/objects/object-store.ts";
import type { Origin, Ownership } from "../../core/objects/ownership.ts";
import type { JobQueue, Lease } from "../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../platform/queue/worker.ts";
import { sha256 } from "../../util/sha256.ts";
import type { FileStorage } from "../files/file-storage.ts";
import type { VideoSource } from "./video-source.ts";

export const KEEP_QUEUE = "keep-videos";

/** Milliseconds between looks at a video that is being made: a tenth of its age within these bounds. */
const SOONEST = 500;
const LATEST = 20_000;

/** A finished video that the gateway has itself. */
export interface StoredVideo {
  readonly key: string;
  readonly bytes: number;
  readonly etag: string;
  /** The video as its provider last described it. */
  readonly video: JsonObject;
}

/** What keeping videos needs. */
export interface StoredVideosDeps {
  readonly queue: JobQueue;
  readonly storage: FileStorage;
  readonly objects: ObjectStore;
  readonly ownership: Ownership;
  readonly sourceOf: (origin: Origin) => VideoSource;
  /** Whether the operator wants it (`gateway_settings.keep_artifacts`). */
  readonly isWanted: () => boolean;
}

/** Copies finished videos, so that they are there when their provider has forgotten them. */
export class StoredVideos {
  readonly #deps: StoredVideosDeps;
  /** Called when there is a video to look after. */
  onWork: () => void = () => {};

  constructor(deps: StoredVideosDeps) {
    this.#deps = deps;
  }

  /** Has a new video copied as soon as it is finished. */
  async lookAfter(id: string): Promise<void> {
    if (!this.#deps.isWanted()) return;
    await this.#deps.queue.enqueue(KEEP_QUEUE, id, { id, since: Date.now() });
    this.onWork();
  }

  async find(id: string): Promise<StoredVideo | undefined> {
    const row = await this.#deps.objects.find(id);
    if (row === undefined) return undefined;
    const { kept } = JSON.parse(row.data) as JsonObject;
    return isJsonObject(kept) ? (kept as unknown as StoredVideo) : undefined;
  }

  read({ key }: StoredVideo, from: number, length: number): AsyncIterable<Uint8Array> {
    return this.#deps.storage.read(key, from, length);
  }

  async forget({ key }: StoredVideo): Promise<void> {
    await this.#deps.storage.delete(key);
  }

  /** Looks whether a video is finished and copies it; a job of the queue. */
  readonly keep = async ({ payload }: Lease, signal: AbortSignal): Promise<JobOutcome> => {
    const { ownership, sourceOf } = this.#deps;
    const id = String(payload.id);
    try {
      const located = await ownership.locate("video", id, masterPrincipal(""));
      const { origin, providerId } = located;
      if (origin === undefined || providerId === undefined) return { done: true };
      const addressed = { ...located, origin, providerId };
      const context = { signal, call: newCallRecord("avideo_content") };
      const video = await sourceOf(origin).retrieve(addressed, context);
      if (video.status === "failed") return { done: true };
      if (video.status === "completed") {
        await this.#copy(addressed, video, signal);
        return { done: true };
      }
    } catch (error) {
      // Deleted in the meantime, here or at the provider.
      if (error instanceof GatewayError && error.status === 404) return { done: true };
      throw error;
    }
    const age = Date.now() - Number(payload.since);
    return { again: Date.now() + Math.min(LATEST, Math.max(SOONEST, age / 10)) };
  };

  async #copy(addressed: AddressedObject, video: JsonObject, signal: AbortSignal): Promise<void> {
    const { sourceOf, storage, objects } = this.#deps;
    const { id, origin } = addressed;
    const context = { signal, call: newCallRecord("avideo_content") };
    const whole = { query: new URLSearchParams(), headers: {} };
    const { body } = await sourceOf(origin).content(addressed, whole, context);
    const key = `video-${sha256(id).slice(0, 40)}`;
    const writer = await storage.create(key);
    const hash = createHash("sha256");
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        await writer.write(chunk);
      }
      const bytes = await writer.commit();
      const kept: StoredVideo = { key, bytes, etag: `"${hash.digest("hex").slice(0, 32)}"`, video };
      await objects.addData(id, { kept });
      await storage.keep?.(key);
    } catch (error) {
      body.cancel();
      await writer.abort();
      throw error;
    }
  }
}
