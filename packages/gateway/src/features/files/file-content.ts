import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { LocatedObject } from "../../core/objects/ownership.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";
import type { ByteRoom } from "../../platform/transport/byte-room.ts";
import type { FileService } from "./file-service.ts";
import { storedFile } from "./stored-file.ts";

const typesByEnding: ReadonlyMap<string, string> = new Map([
  ["pdf", "application/pdf"],
  ["txt", "text/plain"],
  ["md", "text/plain"],
  ["csv", "text/csv"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
]);

/** A part of a request that names a file. */
export type Holder = "input_image" | "input_file" | "file" | "source";

/** The part that a file's holder is, as far as a file's content may stand in its place. */
export function holderOf(holder: JsonObject, holderName: string): Holder | undefined {
  if (holder.type === "input_image" || holder.type === "input_file") return holder.type;
  if (holderName === "source") return "source";
  return holderName === "file" ? "file" : undefined;
}

/**
 * A part with a file's content in place of its id, for providers that do not know our files.
 * @param room in the request
 * @throws GatewayError 413 for one that is too large to be sent along
 */
export async function withContent(
  files: FileService,
  located: LocatedObject,
  holder: JsonObject,
  kind: Holder,
  principal: Principal,
  context: ResourceContext,
  room: ByteRoom,
): Promise<JsonObject> {
  const kept = storedFile(located.row);
  const { file_id, ...rest } = holder;
  const name = kept?.filename ?? (typeof rest.filename === "string" ? rest.filename : "file");
  const data = await bytesOf(await files.open(located, context, principal), room);
  const type = contentType(name, kept?.contentType, kind === "input_image" ? "image/png" : undefined);
  if (kind === "source")
    return type.startsWith("text/")
      ? { type: "text", media_type: "text/plain", data: data.toString("utf8") }
      : { type: "base64", media_type: type, data: data.toString("base64") };
  const url = `data:${type};base64,${data.toString("base64")}`;
  if (kind === "input_image") return { ...rest, image_url: url };
  return { ...rest, filename: name, file_data: url };
}

function contentType(name: string, given: string | undefined, usual: string | undefined): string {
  if (given !== undefined && given !== "application/octet-stream") return given;
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return typesByEnding.get(ending) ?? usual ?? "application/pdf";
}

async function bytesOf(content: AsyncIterable<Uint8Array>, room: ByteRoom): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) {
    room.take(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
