import type { Exchange } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import { flatFields } from "../../core/http/multipart/nested-fields.ts";
import { writeForm } from "../../core/http/multipart/write-form.ts";
import { visiblePage } from "../../core/objects/list-page.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceClient, ResourceContext, ResourceRequest } from "../../core/objects/resource-client.ts";
import { providerFileId } from "../files/provider-file-id.ts";
import type {
  BegunVideo,
  ContentRequest,
  NewVideo,
  VideoBytes,
  VideoSource,
  VideoSourceDeps,
} from "./video-source.ts";

/** Providers that have OpenAI's video resource themselves (OpenAI API reference: Videos). */
export class OpenaiVideos implements VideoSource {
  readonly #deps: VideoSourceDeps;
  readonly #client: ResourceClient;
  readonly #origin: Origin;

  constructor(deps: VideoSourceDeps, client: ResourceClient, origin: Origin) {
    this.#deps = deps;
    this.#client = client;
    this.#origin = origin;
  }

  async create({ fields, form, exchange }: NewVideo): Promise<BegunVideo> {
    return this.#begin(await this.#creation(fields, form, exchange), exchange);
  }

  retrieve(video: AddressedObject, context: ResourceContext): Promise<JsonObject> {
    return this.#client.json(this.#origin, { method: "GET", path: pathOf(video) }, context);
  }

  list(exchange: Exchange): Promise<JsonObject> {
    return visiblePage(this.#deps.ownership, "video", this.#origin, exchange, (query) =>
      this.#client.json(this.#origin, { method: "GET", path: upstreamPath`/videos`, query }, exchange),
    );
  }

  content(
    video: AddressedObject,
    { query, headers }: ContentRequest,
    context: ResourceContext,
  ): Promise<VideoBytes> {
    const path = upstreamPath`/videos/${video.providerId}/content`;
    const request = { method: "GET", path, query, headers, alsoPasses: [304] };
    return this.#client.request(this.#origin, request, context);
  }

  remix(video: AddressedObject, fields: JsonObject, context: ResourceContext): Promise<BegunVideo> {
    return this.#begin(
      { method: "POST", path: upstreamPath`/videos/${video.providerId}/remix`, body: fields },
      context,
    );
  }

  delete(video: AddressedObject, context: ResourceContext): Promise<JsonObject> {
    return this.#client.json(this.#origin, { method: "DELETE", path: pathOf(video) }, context);
  }

  async #begin(request: ResourceRequest, context: ResourceContext): Promise<BegunVideo> {
    const video = await this.#client.json(this.#origin, request, context);
    return { providerId: String(video.id), video };
  }

  async #creation(fields: JsonObject, form: NewVideo["form"], exchange: Exchange): Promise<ResourceRequest> {
    const named = await this.#withProviderFile(fields, exchange);
    const request = { method: "POST", path: upstreamPath`/videos` };
    if (form === undefined) return { ...request, body: named };
    return { ...request, ...writeForm({ fields: flatFields(named), files: form.files }) };
  }

  /** A reference that was uploaded is named by the id that it has at the provider. */
  async #withProviderFile(fields: JsonObject, exchange: Exchange): Promise<JsonObject> {
    const reference = asObject(fields.input_reference);
    const idAt = (id: string) => providerFileId(this.#deps.files, id, this.#origin, exchange);
    if (typeof reference === "string" && !/^(?:data|https?):/i.test(reference))
      return { ...fields, input_reference: await idAt(reference) };
    if (!isJsonObject(reference) || typeof reference.file_id !== "string") return fields;
    return { ...fields, input_reference: { ...reference, file_id: await idAt(reference.file_id) } };
  }
}

/** A form may have an object as its JSON. */
function asObject(reference: unknown): unknown {
  if (typeof reference !== "string" || !reference.trimStart().startsWith("{")) return reference;
  try {
    return JSON.parse(reference);
  } catch {
    return reference;
  }
}

function pathOf(video: AddressedObject): UpstreamPath {
  return upstreamPath`/videos/${video.providerId}`;
}
