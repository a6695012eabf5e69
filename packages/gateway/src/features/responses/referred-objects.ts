import { newCallRecord } from "../../contract/call-record.ts";
import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Ownership } from "../../core/objects/ownership.ts";
import type { FileService } from "../files/file-service.ts";
import { keptFile } from "../files/kept-file.ts";

/** Bytes of a file that go into a request. */
const MAX_FILE = 32 * 1024 * 1024;

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

/** Files and containers that a caller's request names by the ids which the gateway handed out. */
export class ReferredObjects {
  readonly #files: FileService;
  readonly #ownership: Ownership;
  readonly #principal: Principal;
  readonly #signal: AbortSignal;

  constructor(files: FileService, ownership: Ownership, principal: Principal, signal: AbortSignal) {
    this.#files = files;
    this.#ownership = ownership;
    this.#principal = principal;
    this.#signal = signal;
  }

  /**
   * The items with the content of each file in place of its id, for providers that do not know our files.
   * @throws GatewayError 404 for a file that does not exist, 413 for one that is too large to be sent along
   */
  withContents(items: readonly JsonObject[]): Promise<JsonObject[]> {
    return Promise.all(items.map((item) => mapParts(item, (part) => this.#inlined(part))));
  }

  /** A provider's own ids in place of ours in what it gets; a file that only we have is sent there first. */
  async atProvider(value: readonly unknown[], target: Target): Promise<unknown[]> {
    return Promise.all(
      value.map((item) => (isJsonObject(item) ? this.#renamed(item, target) : Promise.resolve(item))),
    );
  }

  async #inlined(part: JsonObject): Promise<JsonObject> {
    const located = await this.#files.locate(String(part.file_id), this.#principal);
    const kept = keptFile(located.row);
    const { file_id, ...rest } = part;
    const name = kept?.filename ?? (typeof rest.filename === "string" ? rest.filename : "file");
    const content = await this.#files.open(located, this.#context(), this.#principal);
    const data = await base64(content);
    const type = contentType(name, kept?.contentType, part.type === "input_image" ? "image/png" : undefined);
    const url = `data:${type};base64,${data}`;
    if (part.type === "input_image") return { ...rest, image_url: url };
    return { ...rest, filename: name, file_data: url };
  }

  async #renamed(item: JsonObject, target: Target): Promise<JsonObject> {
    const named = await mapParts(item, async (part) => ({
      ...part,
      file_id: await this.#providerFile(String(part.file_id), target),
    }));
    if (typeof item.container !== "string") return named;
    const located = await this.#ownership.locate("container", item.container, this.#principal);
    return { ...named, container: located.providerId ?? item.container };
  }

  async #providerFile(id: string, { deployment }: Target): Promise<string> {
    const located = await this.#files.locate(id, this.#principal);
    if (located.row === undefined || located.row.provider_id !== null) return located.providerId ?? id;
    const origin = { deployment, provider: deployment.provider };
    return this.#files.copyAt(located.row, origin, undefined, this.#context());
  }

  #context() {
    return { signal: this.#signal, call: newCallRecord("afile_content") };
  }
}

/** An item with some of its content parts changed: those that name a file. */
async function mapParts(
  item: JsonObject,
  change: (part: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  const changed: JsonObject = { ...item };
  for (const member of ["content", "output"]) {
    const parts = item[member];
    if (!Array.isArray(parts) || !parts.some(namesFile)) continue;
    changed[member] = await Promise.all(
      parts.map((part: unknown) => (namesFile(part) ? change(part) : Promise.resolve(part))),
    );
  }
  return changed;
}

function namesFile(part: unknown): part is JsonObject {
  return isJsonObject(part) && typeof part.file_id === "string" && String(part.type).startsWith("input_");
}

/** Whether a request names anything that a provider may know by another id. */
export function refersToObjects(value: readonly unknown[]): boolean {
  return value.some(
    (item) =>
      isJsonObject(item) &&
      (typeof item.container === "string" ||
        [item.content, item.output].some((parts) => Array.isArray(parts) && parts.some(namesFile))),
  );
}

function contentType(name: string, given: string | undefined, usual: string | undefined): string {
  if (given !== undefined && given !== "application/octet-stream") return given;
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return typesByEnding.get(ending) ?? usual ?? "application/pdf";
}

async function base64(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > MAX_FILE) {
      const text = `A file of more than ${MAX_FILE} bytes cannot be sent to this model's provider.`;
      throw new GatewayError(413, "request_too_large", text, { param: "input", retryable: false });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("base64");
}
