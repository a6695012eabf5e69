import type { JsonObject } from "./json.ts";
import type { UpstreamPath } from "./upstream-path.ts";

/** An image that a video begins with. */
export interface StartImage {
  /** Media type, such as `image/png`. */
  readonly type: string;
  readonly base64: string;
}

/** A video as a caller asks for it, in OpenAI's words (OpenAI API reference: Create video). */
export interface WantedVideo {
  /** The model's name at the provider. */
  readonly model: string;
  readonly prompt: string;
  /** Everything else that the caller said: `seconds`, `size`, and the provider's own parameters. */
  readonly fields: JsonObject;
  readonly image: StartImage | undefined;
}

/** The request that starts a video, and what the caller gets told about it. */
export interface VideoStart {
  /** Below the provider's base address. */
  readonly path: UpstreamPath;
  readonly body: JsonObject;
  /** Length of the video, as OpenAI writes it: a number as text. */
  readonly seconds: string;
  /** Width and height, such as `1280x720`. */
  readonly size: string;
}

/** Where a finished video is. */
export type VideoContent =
  /** A file of the provider's, by its path below the base address; `<file>:download` has the bytes. */
  | { readonly file: UpstreamPath }
  /** An address that asks for no key. */
  | { readonly address: string }
  /** The look itself brings the bytes. */
  | { readonly inAnswer: true };

/** The request that asks for a job. */
export interface VideoLook {
  readonly method: "GET" | "POST";
  /** Below the provider's base address. */
  readonly path: UpstreamPath;
  readonly body?: JsonObject;
  /** Name of the member that has the video in base64, where the answer brings it. */
  readonly videoMember?: string;
}

/** What an unfinished or finished job says. */
export type VideoProgress =
  | {
      readonly status: "in_progress";
      /** Per cent, where the provider says it. */
      readonly progress?: number;
    }
  | { readonly status: "completed"; readonly content: VideoContent }
  | { readonly status: "failed"; readonly error: { readonly code: string; readonly message: string } };

/** A finished video that another one is to be made of. */
export interface RemixSource {
  /** The model's name at the provider. */
  readonly model: string;
  readonly content: VideoContent;
  readonly seconds: string;
  readonly size: string;
}

/** Videos of a provider that makes them as long-running operations instead of having OpenAI's resource. */
export interface VideoJobs {
  /** Seconds for which the provider keeps a finished video, where it says so. */
  readonly keptSeconds?: number;
  /**
   * Translates a wish.
   * @throws GatewayError 400 naming the field that the provider has no word for
   */
  start(wanted: WantedVideo): VideoStart;
  /** The request that changes a video by another prompt; absent where the provider has none. */
  remix?(source: RemixSource, prompt: string): VideoStart;
  /** The job's id in the answer to `start`. */
  idOf(answer: JsonObject): string | undefined;
  /** How to ask for a job; `undefined` for what cannot be an id of this provider. */
  look(id: string): VideoLook | undefined;
  /** Reads the answer to `look`, in which a video is an empty text. @throws GatewayError 502 for an answer without a video */
  read(job: JsonObject): VideoProgress;
}
