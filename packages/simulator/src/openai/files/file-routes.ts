import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { readForm } from "../../http/upload.ts";
import { seconds } from "../../util/clock.ts";
import { invalidRequest, invalidValue, missingParameter } from "../failures.ts";
import { pageOf } from "../lists/page.ts";
import { type FileStore, fileObject, type StoredFile } from "./file-store.ts";

const purposes = ["assistants", "batch", "fine-tune", "vision", "user_data", "evals"];
const filePages = { most: 10_000, usual: 10_000, order: "desc" } as const;

/** Upload, list, retrieve, delete and download files. */
export function fileRoutes(files: FileStore): Route[] {
  const one = "/files/{id}";
  const found = (exchange: Exchange): StoredFile => files.get(exchange.params.id ?? "");
  return [
    { method: "POST", pattern: "/files", handle: (exchange) => upload(exchange, files), body: "stream" },
    { method: "GET", pattern: "/files", handle: (exchange) => list(exchange, files) },
    { method: "GET", pattern: one, handle: (exchange) => json(fileObject(found(exchange))) },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(exchange, files) },
    { method: "GET", pattern: `${one}/content`, handle: (exchange) => content(exchange, found(exchange)) },
  ];
}

async function upload(exchange: Exchange, files: FileStore): Promise<Reply> {
  const { state } = exchange;
  const { fields, file } = await readForm(exchange, "file");
  if (file === undefined) throw missingParameter("file");
  try {
    const { purpose } = fields;
    if (purpose === undefined) throw missingParameter("purpose");
    if (!purposes.includes(purpose)) {
      throw invalidValue(
        "purpose",
        `Invalid value: '${purpose}'. Supported values are: ${purposes.join(", ")}.`,
      );
    }
    if (purpose === "batch" && !file.filename.endsWith(".jsonl")) {
      throw invalidRequest(`Invalid file format for Batch API. Must be .jsonl`, "file");
    }
    const created = seconds(state.clock);
    const stored: StoredFile = {
      id: state.ids.next("file-", file.filename),
      created,
      expires: expiry(fields, created),
      filename: file.filename,
      purpose,
      blob: file.blob,
    };
    files.add(stored);
    return json(fileObject(stored));
  } catch (error) {
    await state.blobs.delete(file.blob);
    throw error;
  }
}

function expiry(fields: Readonly<Record<string, string>>, created: number): number | undefined {
  const text = fields["expires_after[seconds]"];
  if (text === undefined) return undefined;
  const after = Number(text);
  if (!Number.isInteger(after) || after < 3600 || after > 2_592_000) {
    throw invalidValue("expires_after.seconds", "expires_after.seconds must be from 3600 to 2592000.");
  }
  return created + after;
}

function list(exchange: Exchange, files: FileStore): Reply {
  const purpose = exchange.query.get("purpose");
  const chosen = files.list().filter((file) => purpose === null || file.purpose === purpose);
  const page = pageOf(chosen, (file) => file.id, exchange.query, filePages);
  return json({ ...page, data: page.data.map(fileObject) });
}

async function remove(exchange: Exchange, files: FileStore): Promise<Reply> {
  const id = exchange.params.id ?? "";
  await files.delete(id, exchange.state.blobs);
  return json({ id, object: "file", deleted: true });
}

function content(exchange: Exchange, file: StoredFile): Reply {
  return {
    kind: "pieces",
    contentType: "application/octet-stream",
    pieces: exchange.state.blobs.read(file.blob),
    length: file.blob.bytes,
    headers: {
      "content-disposition": `attachment; filename="${file.filename.replaceAll(/["\r\n\\]/g, "_")}"`,
    },
  };
}
