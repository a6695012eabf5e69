import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { SpooledForm } from "../../core/http/multipart/read-form.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import type { ObjectStore } from "../../core/objects/object-store.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { ResponseHeaders } from "../../platform/transport/headers.ts";
import type { FileService } from "../files/file-service.ts";

/** What reaching a provider's videos needs of the gateway. */
export interface VideoSourceDeps extends ResourceDeps {
  readonly files: FileService;
  /** Absent without a persistent store. */
  readonly objects: ObjectStore | undefined;
}

/** What a caller asks a new video to be. */
export interface NewVideo {
  /** The request's fields; `model` is its name at the provider. */
  readonly fields: JsonObject;
  /** The files that came with them, where they came as a form. */
  readonly form: SpooledForm | undefined;
  readonly exchange: Exchange;
}

/** A video that a provider has begun to make. */
export interface BegunVideo {
  readonly providerId: string;
  /** OpenAI's video object, its id still to come. */
  readonly video: JsonObject;
  /** What the gateway has to remember, because the provider does not tell it again. */
  readonly data?: JsonObject;
  /** Milliseconds since the epoch, where the gateway says itself when the video was made. */
  readonly createdAt?: number;
}

/** How a video's bytes are asked for. */
export interface ContentRequest {
  readonly query: URLSearchParams;
  /** Conditions and ranges of the caller. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A video's bytes, or 304 without any. */
export interface VideoBytes {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Must be read or cancelled. */
  readonly body: AsyncIterable<Buffer> & { cancel(): void };
}

/** The videos of one provider in the words of OpenAI's resource. */
export interface VideoSource {
  create(wanted: NewVideo): Promise<BegunVideo>;
  /** The video object, with whatever id it has at its provider. */
  retrieve(video: AddressedObject, context: ResourceContext): Promise<JsonObject>;
  /** A page of what the caller may see, with the ids that were handed out. */
  list(exchange: Exchange): Promise<JsonObject>;
  /** The bytes, or 304 where the caller's conditions ask for it. */
  content(video: AddressedObject, request: ContentRequest, context: ResourceContext): Promise<VideoBytes>;
  /** A new video made out of a finished one. */
  remix(video: AddressedObject, fields: JsonObject, context: ResourceContext): Promise<BegunVideo>;
  delete(video: AddressedObject, context: ResourceContext): Promise<JsonObject>;
}
