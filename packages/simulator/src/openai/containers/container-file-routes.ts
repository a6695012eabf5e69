import type { Exchange } from "../../http/exchange.ts";
import { readJson } from "../../http/read-json.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { readForm } from "../../http/upload.ts";
import type { Blob } from "../../state/blob-store.ts";
import { seconds } from "../../util/clock.ts";
import { stringOf } from "../../util/json.ts";
import { missingParameter, notFound } from "../failures.ts";
import type { FileStore, StoredFile } from "../files/file-store.ts";
import { pageOf, usualPages } from "../lists/page.ts";
import {
  type Container,
  type ContainerFile,
  type ContainerStore,
  containerFileObject,
} from "./container-store.ts";

/** Create, list, retrieve, download and delete the files of a container. */
export function containerFileRoutes(containers: ContainerStore, files: FileStore): Route[] {
  const all = "/containers/{id}/files";
  const one = `${all}/{file}`;
  const home = (exchange: Exchange): Container => containers.get(exchange.params.id ?? "");
  return [
    {
      method: "POST",
      pattern: all,
      handle: (exchange) => create(exchange, home(exchange), files),
      body: "stream",
    },
    { method: "GET", pattern: all, handle: (exchange) => list(exchange, home(exchange)) },
    { method: "GET", pattern: one, handle: (exchange) => retrieve(exchange, home(exchange)) },
    { method: "GET", pattern: `${one}/content`, handle: (exchange) => content(exchange, home(exchange)) },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(exchange, home(exchange)) },
  ];
}

/** Copies one of the account's files into a container. */
export async function addStoredFile(
  exchange: Exchange,
  container: Container,
  file: StoredFile,
): Promise<ContainerFile> {
  const { blobs } = exchange.state;
  return add(exchange, container, file.filename, await blobs.save(blobs.read(file.blob)));
}

async function create(exchange: Exchange, container: Container, files: FileStore): Promise<Reply> {
  if (exchange.request.headers["content-type"]?.startsWith("multipart/")) {
    const { file, fields } = await readForm(exchange, "file");
    if (file !== undefined)
      return json(containerFileObject(container, add(exchange, container, file.filename, file.blob)));
    return fromStored(exchange, container, files, fields.file_id);
  }
  await readJson(exchange);
  return fromStored(exchange, container, files, stringOf(exchange.body.file_id));
}

async function fromStored(
  exchange: Exchange,
  container: Container,
  files: FileStore,
  id: string | undefined,
): Promise<Reply> {
  if (id === undefined) throw missingParameter("file_id");
  return json(containerFileObject(container, await addStoredFile(exchange, container, files.get(id))));
}

function add({ state }: Exchange, container: Container, filename: string, blob: Blob): ContainerFile {
  const now = seconds(state.clock);
  const id = state.ids.next("cfile_", filename, 48);
  const file: ContainerFile = { id, created: now, path: `/mnt/data/${filename}`, source: "user", blob };
  container.files.set(id, file);
  container.lastActive = now;
  return file;
}

function get(exchange: Exchange, container: Container): ContainerFile {
  const id = exchange.params.file ?? "";
  const file = container.files.get(id);
  if (file === undefined) throw notFound(`Container file with id '${id}' not found.`, null);
  return file;
}

function list(exchange: Exchange, container: Container): Reply {
  const page = pageOf([...container.files.values()], (file) => file.id, exchange.query, usualPages);
  return json({ ...page, data: page.data.map((file) => containerFileObject(container, file)) });
}

function retrieve(exchange: Exchange, container: Container): Reply {
  return json(containerFileObject(container, get(exchange, container)));
}

function content(exchange: Exchange, container: Container): Reply {
  const { blob } = get(exchange, container);
  const pieces = exchange.state.blobs.read(blob);
  return { kind: "pieces", contentType: "application/octet-stream", pieces, length: blob.bytes };
}

async function remove(exchange: Exchange, container: Container): Promise<Reply> {
  const { id, blob } = get(exchange, container);
  container.files.delete(id);
  await exchange.state.blobs.delete(blob);
  return json({ id, object: "container.file.deleted", deleted: true });
}
