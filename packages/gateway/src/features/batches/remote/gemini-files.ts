import { Readable } from "node:stream";
import { GatewayError } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { type UpstreamPath, upstreamPath, upstreamSteps } from "../../../contract/upstream-path.ts";
import { headerValue } from "../../../platform/transport/headers.ts";
import type { RemoteContext } from "./remote-api.ts";

/** Bytes of a file that a batch job may read (Gemini API: Batch Mode, input file). */
export const MAX_FILE = 2_000_000_000;
const CONTENT_TYPE = "application/jsonl";

/**
 * Sends a file of the storage to Google by the resumable protocol (Gemini API reference: Files, `media.upload`).
 * @returns its name there, `files/...`
 * @throws GatewayError as the provider answers, 502 for an answer without what the protocol needs
 */
export async function uploadFile(
  { client, origin, storage, signal, call }: RemoteContext,
  key: string,
  bytes: number,
  displayName: string,
): Promise<string> {
  const begin = {
    ...beside("upload", "files"),
    method: "POST",
    body: { file: { displayName } } as JsonObject,
    headers: {
      "x-goog-upload-protocol": "resumable",
      "x-goog-upload-command": "start",
      "x-goog-upload-header-content-length": String(bytes),
      "x-goog-upload-header-content-type": CONTENT_TYPE,
    },
  };
  const begun = await client.request(origin, begin, { signal, call });
  begun.body.cancel();
  const session = URL.parse(headerValue(begun.headers, "x-goog-upload-url") ?? "")?.search;
  if (session === undefined || session === "") throw unexpected("did not begin the upload");
  const send = {
    ...beside("upload", `files${session}`),
    method: "POST",
    body: Readable.from(storage.read(key), { objectMode: false }),
    headers: {
      "content-type": CONTENT_TYPE,
      "content-length": String(bytes),
      "x-goog-upload-offset": "0",
      "x-goog-upload-command": "upload, finalize",
    },
  };
  const { file } = await client.json(origin, send, { signal, call });
  if (!isJsonObject(file) || typeof file.name !== "string")
    throw unexpected("did not name the uploaded file");
  return file.name;
}

/** The bytes of a file that a job has written. */
export async function downloadFile(
  { client, origin, signal, call }: RemoteContext,
  name: string,
): Promise<AsyncIterable<Buffer>> {
  const query = new URLSearchParams({ alt: "media" });
  const request = {
    ...beside("download", `${upstreamSteps(name).slice(1)}:download?${query}`),
    method: "GET",
  };
  return (await client.request(origin, request, { signal, call })).body;
}

/** Uploads and downloads have addresses of their own, beside those of the API. */
function beside(kind: "upload" | "download", path: string): { path: UpstreamPath; redirectedTo: string } {
  return { path: upstreamPath`/files`, redirectedTo: `../${kind}/v1beta/${path}` };
}

function unexpected(what: string): GatewayError {
  return new GatewayError(502, "api_error", `The provider ${what}`);
}
