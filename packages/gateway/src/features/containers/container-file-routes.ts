import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { pathBelow, type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import { chooseProvider } from "../../core/objects/choose-provider.ts";
import { governed, governedJson } from "../../core/objects/governed-call.ts";
import { type AddressedObject, locateOrigin } from "../../core/objects/locate-origin.ts";
import { openaiRoute } from "../../core/objects/openai-route.ts";
import { ResourceClient } from "../../core/objects/resource-client.ts";
import { selectorOrder } from "../../core/objects/selector-order.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import { type ContainerDeps, withProviderFiles } from "./provider-files.ts";

/**
 * Files inside a container. They are reached through their container only, so its id decides whose they are and
 * which deployment has them; their own ids are the provider's.
 */
export function containerFileRoutes(deps: ContainerDeps, base: string): Route[] {
  const client = new ResourceClient(deps);
  const json = (method: string, suffix: (exchange: Exchange) => UpstreamPath) => (exchange: Exchange) =>
    withContainer(deps, exchange, (container) =>
      governedJson(deps, exchange, requestData(container, exchange), async () => {
        const query = forwarded(exchange);
        const path = pathBelow(filesPath(container), suffix(exchange));
        return withContainerId(
          await client.json(container.origin, { method, path, query }, exchange),
          container,
        );
      }),
    );
  return [
    openaiRoute("POST", base, "acreate_container_file", (exchange) => upload(deps, client, exchange)),
    openaiRoute(
      "GET",
      base,
      "alist_container_files",
      json("GET", () => upstreamPath``),
    ),
    openaiRoute("GET", `${base}/:fileId`, "aretrieve_container_file", json("GET", filePath)),
    openaiRoute("DELETE", `${base}/:fileId`, "adelete_container_file", json("DELETE", filePath)),
    openaiRoute("GET", `${base}/:fileId/content`, "aretrieve_container_file_content", (exchange) =>
      content(deps, client, exchange),
    ),
  ];
}

/** A form passes as it comes, without being held in memory; JSON names a file by its id. */
function upload(deps: ContainerDeps, client: ResourceClient, exchange: Exchange): Promise<Reply> {
  return withContainer(deps, exchange, (container) => {
    let made: string | undefined;
    const run = async (): Promise<JsonObject> => {
      const content = isForm(exchange)
        ? { body: exchange.bodyStream(), headers: bodyHeaders(exchange) }
        : { body: await withProviderFiles(deps, await parseJsonBody(exchange), container.origin, exchange) };
      const request = { method: "POST", path: filesPath(container), ...content };
      const answer = await client.json(container.origin, request, exchange);
      made = String(answer.id);
      return withContainerId(answer, container);
    };
    const undo = async (): Promise<void> => {
      if (made === undefined) return;
      const path = pathBelow(filesPath(container), upstreamPath`/${made}`);
      await client.json(container.origin, { method: "DELETE", path }, exchange);
    };
    return governedJson(deps, exchange, requestData(container, exchange), run, { undo });
  });
}

function content(deps: ContainerDeps, client: ResourceClient, exchange: Exchange): Promise<Reply> {
  return withContainer(deps, exchange, (container) =>
    governed(deps, exchange, requestData(container, exchange), async () => {
      const path = upstreamPath`/containers/${container.providerId}/files/${exchange.params.fileId!}/content`;
      const response = await client.request(container.origin, { method: "GET", path }, exchange);
      const type = headerValue(response.headers, "content-type") ?? "application/octet-stream";
      const length = headerValue(response.headers, "content-length");
      const headers = { "content-type": type, ...(length === undefined ? {} : { "content-length": length }) };
      return { status: 200, headers, stream: response.body };
    }),
  );
}

async function withContainer(
  deps: ContainerDeps,
  exchange: Exchange,
  run: (container: AddressedObject) => Promise<Reply>,
): Promise<Reply> {
  const named = chooseProvider(exchange, selectorOrder["containers/{id}"]);
  const id = exchange.params.containerId!;
  return run(await locateOrigin(deps, exchange, "container", id, "containers", named));
}

function requestData(container: AddressedObject, exchange: Exchange): JsonObject {
  const { fileId } = exchange.params;
  return {
    container_id: container.id,
    custom_llm_provider: container.origin.provider,
    ...(fileId === undefined ? {} : { file_id: fileId }),
    query_params: Object.fromEntries(exchange.query),
  };
}

function filesPath(container: AddressedObject): UpstreamPath {
  return upstreamPath`/containers/${container.providerId}/files`;
}

function filePath({ params }: Exchange): UpstreamPath {
  return upstreamPath`/${params.fileId!}`;
}

function forwarded(exchange: Exchange): URLSearchParams {
  const query = new URLSearchParams(exchange.query);
  query.delete("custom_llm_provider");
  return query;
}

function isForm({ headers }: Exchange): boolean {
  return /^multipart\//i.test(headers["content-type"] ?? "");
}

/** How the body is framed and typed; everything else the provider gets comes from the gateway. */
function bodyHeaders({ headers }: Exchange): Record<string, string> {
  return {
    "content-type": headers["content-type"]!,
    ...(headers["content-length"] === undefined ? {} : { "content-length": headers["content-length"] }),
  };
}

/** Objects that name their container name it by the id that the caller knows. */
function withContainerId(answer: JsonObject, container: AddressedObject): JsonObject {
  const rename = (item: JsonObject): JsonObject =>
    item.container_id === undefined ? item : { ...item, container_id: container.id };
  const { data } = answer;
  if (Array.isArray(data))
    return { ...answer, data: data.map((item) => (isJsonObject(item) ? rename(item) : item)) };
  return rename(answer);
}
