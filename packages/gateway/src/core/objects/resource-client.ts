import type { Readable } from "node:stream";
import type { CallRecord } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readJsonObject } from "../../contract/json-body.ts";
import type { UpstreamPath } from "../../contract/upstream-path.ts";
import type { UpstreamResponse } from "../../platform/transport/upstream-call.ts";
import { upstreamFetch } from "../../platform/transport/upstream-fetch.ts";
import { addressBase } from "../../util/address-base.ts";
import { directDeployment } from "../routing/direct-deployment.ts";
import type { Origin } from "./ownership.ts";
import type { ResourceDeps } from "./resource-deps.ts";

/** One operation on a provider's resource. */
export interface ResourceRequest {
  readonly method: string;
  /** Below the provider's base address, such as `/containers/cntr_1`; made by `upstreamPath`. */
  readonly path: UpstreamPath;
  readonly query?: URLSearchParams;
  /** Where the provider sent us instead, as it stood in `location`; only its own address is accepted. */
  readonly redirectedTo?: string;
  /** JSON, or bytes with their content type in `headers`. */
  readonly body?: JsonObject | Buffer | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses beside 2xx that are an answer rather than an error. */
  readonly alsoPasses?: readonly number[];
}

/** What a request belongs to. */
export interface ResourceContext {
  readonly signal: AbortSignal;
  /** Told which deployment and address served it. */
  readonly call: CallRecord;
}

/** Bytes that a JSON answer may have. */
const MAX_ANSWER = 32 * 1024 * 1024;
/** Bytes of an error answer that are read. */
const MAX_ERROR = 64 * 1024;

/** Calls the resources of providers with the credentials of the deployment that an object belongs to. */
export class ResourceClient {
  readonly #deps: Pick<ResourceDeps, "upstream" | "findProvider">;

  constructor(deps: Pick<ResourceDeps, "upstream" | "findProvider">) {
    this.#deps = deps;
  }

  /**
   * Sends one request; answers other than 2xx become the provider's error.
   * The body of the answer must be read or cancelled.
   */
  async request(
    origin: Origin,
    request: ResourceRequest,
    context: ResourceContext,
  ): Promise<UpstreamResponse> {
    const deployment = origin.deployment ?? directDeployment(`${origin.provider}/`);
    const provider = this.#deps.findProvider(deployment.provider);
    if (provider === undefined) throw invalidRequest(`Unknown provider '${origin.provider}'`);
    const address = provider.address(deployment, {
      method: request.method,
      path: request.path,
      model: deployment.model,
    });
    const { redirectedTo } = request;
    const url =
      redirectedTo === undefined
        ? withQuery(address.url, request.query)
        : sameOrigin(redirectedTo, withQuery(address.url, request.query));
    note(context.call, origin, deployment, addressBase(address.url, request.path));
    const { upstream } = this.#deps;
    context.call.isSent = false;
    const fetched = await provider.authorize?.(deployment, upstreamFetch(upstream), context.signal);
    const startedAt = performance.now();
    const response = await upstream.request({
      url,
      method: request.method,
      headers: { ...request.headers, ...jsonHeaders(request.body), ...address.headers, ...fetched },
      body: isJson(request.body) ? Buffer.from(JSON.stringify(request.body)) : request.body,
      ...(deployment.timeouts.whole === undefined
        ? {}
        : { timeouts: { firstByte: deployment.timeouts.whole } }),
      signal: context.signal,
      record: context.call,
    });
    context.call.upstreamMs += performance.now() - startedAt;
    const { status } = response;
    if ((status >= 200 && status < 300) || request.alsoPasses?.includes(status)) return response;
    throw provider.toError(response.status, response.headers, await response.body.startOfText(MAX_ERROR));
  }

  /** As `request`, for answers that are JSON objects. */
  async json(origin: Origin, request: ResourceRequest, context: ResourceContext): Promise<JsonObject> {
    const response = await this.request(origin, request, context);
    const bytes = await response.body.bytes(MAX_ANSWER);
    try {
      return readJsonObject(bytes);
    } catch (error) {
      throw new GatewayError(502, "api_error", "The provider's answer is not JSON", { cause: error });
    }
  }
}

function note(call: CallRecord, origin: Origin, deployment: Deployment, apiBase: string): void {
  call.provider = deployment.provider;
  call.deployment = origin.deployment;
  call.apiBase = apiBase;
}

function withQuery(address: string, query: URLSearchParams | undefined): string {
  if (query === undefined || query.size === 0) return address;
  // Put together as text: URL parsers resolve dot segments, which must not get that far.
  return `${address}${address.includes("?") ? "&" : "?"}${query}`;
}

/** Every request carries the deployment's key, so no redirect may lead away from its address. */
function sameOrigin(location: string, address: string): string {
  const url = URL.parse(location, address);
  if (url?.origin !== new URL(address).origin)
    throw new GatewayError(502, "api_error", "The provider redirects to another address");
  return url.href;
}

function isJson(body: ResourceRequest["body"]): body is JsonObject {
  return body !== undefined && !Buffer.isBuffer(body) && typeof (body as Readable).pipe !== "function";
}

function jsonHeaders(body: ResourceRequest["body"]): Record<string, string> {
  return isJson(body) ? { "content-type": "application/json" } : {};
}
