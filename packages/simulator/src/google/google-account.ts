import type { JsonObject } from "../util/json.ts";
import type { GoogleBatch } from "./batches/batch-record.ts";
import { GoogleFileStore } from "./files/file-store.ts";
import type { VideoOperation } from "./videos/video-operation.ts";

/** Everything one Google account keeps. */
export class GoogleAccount {
  readonly files = new GoogleFileStore();
  readonly batches = new Map<string, GoogleBatch>();
  /** Videos by the name of the operation that makes them. */
  readonly videos = new Map<string, VideoOperation>();
  /** By their ids. */
  readonly cachedContents = new Map<string, JsonObject>();
  /** Uploads that were started and have no bytes yet, by their id. */
  readonly uploads = new Map<string, { displayName: string | undefined; mimeType: string }>();
  #stop = new AbortController();

  /** Aborts when the account is reset, which ends the batch jobs that run. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  reset(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.files.clear();
    this.batches.clear();
    this.videos.clear();
    this.cachedContents.clear();
    this.uploads.clear();
  }
}
