import { checkQuery } from "../../contract/check.ts";
import { type Exchange, keyRoute, type Reply, type Route } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { pathBelow, type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import { fileNameOf, withFileName } from "../../core/http/multipart/file-name.ts";
import { flatFields, nestedFields } from "../../core/http/multipart/nested-fields.ts";
import { type FormLimits, readForm, type SpooledForm } from "../../core/http/multipart/read-form.ts";
import { writeForm } from "../../core/http/multipart/write-form.ts";
import { governed, governedJson, type Terms } from "../../core/objects/governed-call.ts";
import { queryForProvider } from "../../core/objects/list-page.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import { ResourceClient } from "../../core/objects/resource-client.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import { addressContainer, CONTAINER_IDS } from "./address-container.ts";
import { type ContainerDeps, withProviderFiles } from "./provider-files.ts";
import { addContainerFile, containerQuery } from "./schema.ts";

/**
 * Files inside a container. They are reached through their container only, so its id decides whose they are and
 * which deployment has them; their own ids are the provider's.
 */
export function containerFileRoutes(deps: ContainerDeps, base: string): Route[] {
  const client = new ResourceClient(deps);
  const json = (method: string, suffix: (exchange: Exchange) => UpstreamPath) => (exchange: Exchange) => {
    if (method === "GET" && exchange.params.fileId === undefined) checkQuery(containerQuery, exchange.query);
    return withContainer(deps, exchange, {}, async (container, steered) => {
      const path = pathBelow(filesPath(container), suffix(steered));
      const request = { method, path, query: queryForProvider(steered.query) };
      return withContainerId(await client.json(container.origin, request, exchange), container);
    });
  };
  return [
    keyRoute("POST", base, "acreate_container_file", (exchange) => upload(deps, client, exchange)),
    keyRoute(
      "GET",
      base,
      "alist_container_files",
      json("GET", () => upstreamPath``),
    ),
    keyRoute("GET", `${base}/:fileId`, "aretrieve_container_file", json("GET", filePath)),
    keyRoute("DELETE", `${base}/:fileId`, "adelete_container_file", json("DELETE", filePath)),
    keyRoute("GET", `${base}/:fileId/content`, "aretrieve_container_file_content", (exchange) =>
      content(deps, client, exchange),
    ),
  ];
}

/**
 * A form goes by way of the disk: hooks look at its fields and its file's name, and official clients name an uploaded
 * file in it (`file_id`), as JSON does.
 */
async function upload(deps: ContainerDeps, client: ResourceClient, exchange: Exchange): Promise<Reply> {
  let made: { container: AddressedObject; id: string } | undefined;
  let form: SpooledForm | undefined;
  const receive = async (): Promise<JsonObject> => {
    if (!isForm(exchange)) return parseJsonBody(exchange, addContainerFile);
    form = await readForm(exchange, formLimits(deps));
    return { ...nestedFields(form.fields), ...fileNameOf(form) };
  };
  const run: ContainerRun = async (container, _steered, data) => {
    const path = filesPath(container);
    const request = { method: "POST", path, ...(await content(container, data)) };
    const answer = await client.json(container.origin, request, exchange);
    made = { container, id: String(answer.id) };
    return withContainerId(answer, container);
  };
  const content = async (container: AddressedObject, data: JsonObject) => {
    const { container_id, custom_llm_provider, query_params, filename, ...named } = data;
    const body = await withProviderFiles(deps, named, container.origin, exchange);
    if (form === undefined) return { body };
    return writeForm({ fields: flatFields(body), files: withFileName(form, data).files });
  };
  const undo = async (): Promise<void> => {
    if (made === undefined) return;
    const path = pathBelow(filesPath(made.container), upstreamPath`/${made.id}`);
    await client.json(made.container.origin, { method: "DELETE", path }, exchange);
  };
  try {
    return await withContainer(deps, exchange, { receive, undo }, run);
  } finally {
    await form?.remove();
  }
}

function formLimits({ config }: ContainerDeps): FormLimits {
  return {
    fileFields: ["file"],
    maxFiles: 1,
    maxFileBytes: config.current.generalSettings.maxFileSizeMb * 2 ** 20,
  };
}

async function content(deps: ContainerDeps, client: ResourceClient, exchange: Exchange): Promise<Reply> {
  const container = await addressContainer(deps, exchange);
  const data = requestData(container, exchange);
  return governed(deps, exchange, data, async (changed) => {
    const steered = steeredExchange(exchange, data, changed, CONTAINER_IDS);
    const { origin, providerId } = steered === exchange ? container : await addressContainer(deps, steered);
    const path = upstreamPath`/containers/${providerId}/files/${steered.params.fileId!}/content`;
    const response = await client.request(origin, { method: "GET", path }, exchange);
    const type = headerValue(response.headers, "content-type") ?? "application/octet-stream";
    const length = headerValue(response.headers, "content-length");
    const headers = { "content-type": type, ...(length === undefined ? {} : { "content-length": length }) };
    return { status: 200, headers, stream: response.body };
  });
}

/** An operation on the files of a container, by the exchange and the data that hooks left. */
type ContainerRun = (container: AddressedObject, steered: Exchange, data: JsonObject) => Promise<JsonObject>;

interface Receiving extends Terms {
  /** Takes in the body, for hooks to see. */
  readonly receive?: () => Promise<JsonObject>;
}

async function withContainer(
  deps: ContainerDeps,
  exchange: Exchange,
  { receive, ...terms }: Receiving,
  run: ContainerRun,
): Promise<Reply> {
  const container = await addressContainer(deps, exchange);
  const data = requestData(container, exchange);
  const received = async (): Promise<JsonObject> => ({ ...(await receive?.()), ...data });
  const steer = async (changed: JsonObject): Promise<JsonObject> => {
    const steered = steeredExchange(exchange, data, changed, CONTAINER_IDS);
    return run(steered === exchange ? container : await addressContainer(deps, steered), steered, changed);
  };
  return governedJson(deps, exchange, received, steer, terms);
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

function isForm({ headers }: Exchange): boolean {
  return /^multipart\//i.test(headers["content-type"] ?? "");
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
