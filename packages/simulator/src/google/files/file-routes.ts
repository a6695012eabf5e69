import { createHash } from "node:crypto";
import type { Exchange } from "../../http/exchange.ts";
import { rangedReply } from "../../http/ranged.ts";
import { readJson } from "../../http/read-json.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { requestBytes } from "../../http/upload.ts";
import { objectOf, stringOf } from "../../util/json.ts";
import { baseAddress } from "../base-address.ts";
import { invalidArgument } from "../failures.ts";
import { member } from "../members.ts";
import { pageOf } from "../page.ts";
import { fileResource, type GoogleFile, type GoogleFileStore } from "./file-store.ts";

interface Upload {
  readonly displayName: string | undefined;
  readonly mimeType: string;
}

/** Resumable upload, list, retrieve, download and delete files. */
export function fileRoutes(files: GoogleFileStore, uploads: Map<string, Upload>): Route[] {
  const one = "/{version}/files/{id}";
  const found = (exchange: Exchange): GoogleFile => files.get(`files/${exchange.params.id ?? ""}`);
  const download = (exchange: Exchange): Reply => content(exchange, found(exchange));
  const findAndDownload = (exchange: Exchange): Reply =>
    redirected(exchange, found(exchange)) ?? download(exchange);
  const upload = (exchange: Exchange): Promise<Reply> => receive(exchange, files, uploads);
  return [
    { method: "POST", pattern: "/upload/{version}/files", handle: upload, body: "stream" },
    { method: "PUT", pattern: "/upload/{version}/files", handle: upload, body: "stream" },
    { method: "GET", pattern: "/{version}/files", handle: (exchange) => list(exchange, files) },
    { method: "GET", pattern: `${one}:download`, handle: findAndDownload },
    { method: "GET", pattern: `/download${one}:download`, handle: download },
    {
      method: "GET",
      pattern: one,
      handle: (exchange) => json(fileResource(found(exchange), baseAddress(exchange))),
    },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(exchange, files, found(exchange)) },
  ];
}

// One address serves the whole protocol; the command header says which step a request is.
async function receive(
  exchange: Exchange,
  files: GoogleFileStore,
  uploads: Map<string, Upload>,
): Promise<Reply> {
  const command = String(exchange.request.headers["x-goog-upload-command"] ?? "");
  if (command === "start") return begin(exchange, uploads);
  const id = exchange.query.get("upload_id") ?? "";
  const upload = uploads.get(id);
  if (upload === undefined || !command.includes("upload") || !command.includes("finalize")) {
    throw invalidArgument(
      "Start a resumable upload first, then send its bytes with the command 'upload, finalize'.",
    );
  }
  uploads.delete(id);
  const hash = createHash("sha256");
  const blob = await exchange.state.blobs.save(hashed(requestBytes(exchange), hash));
  const file: GoogleFile = {
    name: `files/${exchange.state.ids.next("", upload.displayName, 12).toLowerCase()}`,
    displayName: upload.displayName,
    mimeType: upload.mimeType,
    created: exchange.state.clock(),
    blob,
    sha256: hash.digest("hex"),
    source: "UPLOADED",
  };
  files.add(file);
  const body = { file: fileResource(file, baseAddress(exchange)) };
  return { kind: "json", body, headers: { "x-goog-upload-status": "final" } };
}

async function begin(exchange: Exchange, uploads: Map<string, Upload>): Promise<Reply> {
  await readJson(exchange);
  const { headers } = exchange.request;
  const id = exchange.state.ids.next("", exchange.text, 40);
  const displayName = stringOf(member(objectOf(exchange.body.file), "displayName"));
  const mimeType = String(headers["x-goog-upload-header-content-type"] ?? "application/octet-stream");
  uploads.set(id, { displayName, mimeType });
  const version = exchange.params.version ?? "v1beta";
  const url = `${baseAddress(exchange)}/upload/${version}/files?upload_id=${id}&upload_protocol=resumable`;
  return { kind: "json", body: {}, headers: { "x-goog-upload-url": url, "x-goog-upload-status": "active" } };
}

async function* hashed(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    hash.update(piece);
    yield piece;
  }
}

function list(exchange: Exchange, files: GoogleFileStore): Reply {
  const { items, next } = pageOf(files.list(), exchange.query);
  return json({ files: items.map((file) => fileResource(file, baseAddress(exchange))), ...next });
}

function content(exchange: Exchange, file: GoogleFile): Reply {
  if (exchange.query.get("alt") !== "media") return json(fileResource(file, baseAddress(exchange)));
  return rangedReply(exchange, {
    contentType: file.mimeType,
    size: file.blob.bytes,
    etag: file.sha256.slice(0, 32),
    read: (start, end) => exchange.state.blobs.read(file.blob, start, end),
  });
}

/** Google's answer for a generated file: its bytes are at another path of the same host. */
function redirected(exchange: Exchange, file: GoogleFile): Reply | undefined {
  if (file.source !== "GENERATED" || exchange.query.get("alt") !== "media") return undefined;
  const location = `${baseAddress(exchange)}/download${exchange.path}?alt=media`;
  return { kind: "pieces", status: 302, contentType: "text/html", pieces: [], headers: { location } };
}

async function remove(exchange: Exchange, files: GoogleFileStore, file: GoogleFile): Promise<Reply> {
  files.delete(file.name);
  await exchange.state.blobs.delete(file.blob);
  return json({});
}
