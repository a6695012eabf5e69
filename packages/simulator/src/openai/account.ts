import { Resources } from "../resources/routes.ts";
import type { BatchRecord } from "./batches/batch-record.ts";
import { ContainerStore } from "./containers/container-store.ts";
import { ConversationStore } from "./conversations/conversation-store.ts";
import { FileStore } from "./files/file-store.ts";
import { ResponseStore } from "./responses/response-store.ts";
import { VideoStore } from "./videos/video-store.ts";

/** Everything one OpenAI or Azure account keeps. */
export class OpenAiAccount {
  readonly files = new FileStore();
  readonly batches = new Map<string, BatchRecord>();
  readonly containers = new ContainerStore();
  readonly videos = new VideoStore();
  readonly responses = new ResponseStore();
  readonly conversations = new ConversationStore();
  readonly resources = new Resources();
  #stop = new AbortController();

  /** Aborts when the account is reset, which ends the batches that run. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Forgets it all. */
  async reset(): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.batches.clear();
    this.files.clear();
    this.containers.clear();
    this.videos.clear();
    this.responses.clear();
    this.conversations.clear();
    this.resources.clear();
  }
}
