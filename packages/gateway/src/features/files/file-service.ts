import { hash } from "node:crypto";
import { type CallRecord, newCallRecord } from "../../contract/call-record.ts";
import { GatewayError, noStore, notFound } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { pathBelow, type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import { formBody } from "../../core/http/multipart/write-form.ts";
import type { ObjectStore } from "../../core/objects/object-store.ts";
import type { ObjectRow } from "../../core/objects/objects-table.ts";
import { originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { LocatedObject, Origin } from "../../core/objects/ownership.ts";
import { ResourceClient, type ResourceContext } from "../../core/objects/resource-client.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import { isBlank, MAX_LINE } from "./batch-input.ts";
import type { FileReaders } from "./file-readers.ts";
import type { FileStorage } from "./file-storage.ts";
import { linesOf } from "./split-lines.ts";
import { ownerOf, type StoredFile, storedFile } from "./stored-file.ts";

export interface FileDeps extends ResourceDeps {
  readonly storage: FileStorage;
  /** Absent without a persistent store: then every file is at a provider. */
  readonly objects: ObjectStore | undefined;
  readonly readers: FileReaders;
}

/** A file to keep. */
export interface NewStoredFile extends Omit<StoredFile, "copies"> {
  readonly expiresAt?: number | undefined;
  readonly id?: string;
}

/** Files that one round removes. */
const EXPIRED_AT_ONCE = 100;
/** Milliseconds without a byte after which nobody writes a file any more. */
const LEFT_AFTER = 24 * 3_600_000;

/** Files wherever they are: with the gateway, at a provider, or at both. */
export class FileService {
  readonly client: ResourceClient;
  readonly #deps: FileDeps;

  constructor(deps: FileDeps) {
    this.#deps = deps;
    this.client = new ResourceClient(deps);
  }

  /** Whether the gateway can keep files itself. */
  get storesFiles(): boolean {
    return this.#deps.objects !== undefined;
  }

  /**
   * Remembers a file whose bytes are in the storage.
   * @throws GatewayError 500 without a persistent store
   */
  async keep(principal: Principal, provider: string, file: NewStoredFile): Promise<ObjectRow> {
    const { expiresAt, id, ...kept } = file;
    const { objects, ownership } = this.#deps;
    if (objects === undefined) throw noStore();
    const made = await ownership.create("file", principal, provider, {
      data: { ...kept, copies: {} },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(id === undefined ? {} : { id }),
    });
    await this.#deps.storage.keep?.(kept.key);
    return (await objects.find(made))!;
  }

  /**
   * Traces a file's id back.
   * @throws GatewayError 404 for another tenant's file, an expired one, one that does not exist
   */
  async locate(id: string, principal: Principal, call?: CallRecord): Promise<LocatedObject> {
    const located = await this.#deps.ownership.locate("file", id, principal, call);
    const expires = located.row?.expires_at;
    if (expires !== undefined && expires !== null && expires <= Date.now())
      throw notFound(`No file found with id '${id}'`);
    return located;
  }

  /**
   * A file's bytes: the gateway's own, else the provider's.
   * @param principal who reads it
   * @param at where a file is that the gateway did not hand out; the default provider without it
   */
  async open(
    located: LocatedObject,
    context: ResourceContext,
    principal: Principal,
    at?: Origin,
  ): Promise<AsyncIterable<Buffer>> {
    const kept = storedFile(located.row);
    if (kept !== undefined) return this.#deps.storage.read(kept.key);
    const origin = located.origin ?? at ?? this.originOf(located, principal);
    const path = pathBelow(pathOfFile(located), upstreamPath`/content`);
    return (await this.client.request(origin, { method: "GET", path }, context)).body;
  }

  /** Where a provider's file is: with the deployment that made it, else with the default provider. */
  originOf({ origin }: LocatedObject, principal: Principal): Origin {
    return origin ?? originOfProvider(this.#deps, DEFAULT_PROVIDER, "files", principal);
  }

  /** Sends a file to a provider; resolves with the provider's `file` object. */
  send(origin: Origin, file: OutgoingFile, context: ResourceContext): Promise<JsonObject> {
    const { fields, filename: name, contentType: type, bytes, content } = file;
    const { body, headers } = formBody(fields, [{ field: "file", name, type, bytes, read: () => content }]);
    return this.client.json(origin, { method: "POST", path: upstreamPath`/files`, body, headers }, context);
  }

  /**
   * The id of a kept file at a provider, which gets a copy when it has none.
   * @param rows what becomes of each request of a batch's input; absent leaves the requests as they are
   */
  async copyAt(
    row: ObjectRow,
    origin: Origin,
    rows: RowsAtPlace | undefined,
    context: ResourceContext,
  ): Promise<string> {
    const kept = storedFile(row)!;
    const place = placeOf(origin, rows);
    const known = kept.copies[place];
    if (known !== undefined) return known;
    const content = (): AsyncIterable<Buffer> => this.#contentFor(kept, rows);
    const changes = changesRows(kept, rows);
    const answer = await this.send(
      origin,
      {
        fields: [["purpose", kept.purpose]],
        filename:
          kept.purpose === "batch" && !kept.filename.endsWith(".jsonl")
            ? `${kept.filename}.jsonl`
            : kept.filename,
        contentType: kept.contentType,
        bytes: changes ? await lengthOf(content()) : kept.bytes,
        content: content(),
      },
      context,
    );
    const id = String(answer.id);
    const { objects, ownership } = this.#deps;
    await ownership.register("file", ownerOf(row), origin, id, { data: { copyOf: row.id } });
    const copies = { ...kept.copies, [place]: id };
    await objects?.update(row.id, { data: JSON.stringify({ ...kept, copies }) });
    return id;
  }

  /**
   * Deletes a kept file and, as far as they can be reached, its copies.
   * @throws GatewayError 409 while a batch reads it
   */
  async delete(row: ObjectRow, context: ResourceContext): Promise<void> {
    if (await this.#deps.readers.isReading(row.id))
      throw new GatewayError(
        409,
        "invalid_request_error",
        "The file is the input of a batch that is not over",
        {
          retryable: false,
        },
      );
    const providerIds = Object.values(storedFile(row)!.copies);
    const alike = (await this.#deps.objects?.findByProviderIds("file", providerIds)) ?? [];
    // Hosts that count from 1 give the same ids to others' files.
    for (const copy of alike.filter(({ data }) => (JSON.parse(data) as JsonObject).copyOf === row.id)) {
      const located = await this.#deps.ownership.locate("file", copy.id, ownerOf(copy));
      const origin = this.originOf(located, ownerOf(copy));
      await this.client
        .json(origin, { method: "DELETE", path: pathOfFile(located) }, context)
        .catch(() => undefined);
      await this.#deps.ownership.forget(copy.id);
    }
    await this.#deps.ownership.forget(row.id);
    await this.#deps.storage.delete(storedFile(row)!.key);
  }

  /**
   * Deletes some of the kept files whose time is over, and what killed uploads left behind; what a batch still reads
   * waits for its end.
   * @returns whether there are more
   */
  async removeExpired(signal: AbortSignal): Promise<boolean> {
    await this.#deps.storage.removeLeftovers?.(Date.now() - LEFT_AFTER);
    const rows = (await this.#deps.objects?.expired("file", Date.now(), EXPIRED_AT_ONCE)) ?? [];
    let removed = 0;
    for (const row of rows) {
      if (signal.aborted) return true;
      if (await this.#deps.readers.isReading(row.id)) continue;
      await this.delete(row, { signal, call: newCallRecord("afile_delete") });
      removed += 1;
    }
    return rows.length === EXPIRED_AT_ONCE && removed > 0;
  }

  #contentFor(kept: StoredFile, rows: RowsAtPlace | undefined): AsyncIterable<Buffer> {
    const content = this.#deps.storage.read(kept.key);
    return changesRows(kept, rows) ? changedRows(content, rows!) : content;
  }
}

/** What becomes of the requests of a batch's input at a place. */
export interface RowsAtPlace {
  /** The model's name there. */
  readonly model: string;
  /** Tells other changes than that of the model from those of other times; absent where there are none. */
  readonly changes: string | undefined;
  bodyOf(url: unknown, body: JsonObject): JsonObject;
}

/** What a copy is known by. */
function placeOf({ deployment, provider }: Origin, rows: RowsAtPlace | undefined): string {
  const place = `${deployment?.id ?? `direct:${provider}`} ${rows?.model ?? ""}`;
  return rows?.changes === undefined ? place : `${place} ${hash("sha256", rows.changes)}`;
}

function changesRows({ summary }: StoredFile, rows: RowsAtPlace | undefined): boolean {
  if (rows === undefined || summary === undefined) return false;
  return rows.changes !== undefined || summary.models.length !== 1 || summary.models[0]!.model !== rows.model;
}

/** A provider's file below its base address. */
export function pathOfFile({ providerId, id }: LocatedObject): UpstreamPath {
  return upstreamPath`/files/${providerId ?? id}`;
}

/** The lines of a batch input file with each request as it is at a place. */
async function* changedRows(source: AsyncIterable<Buffer>, rows: RowsAtPlace): AsyncGenerator<Buffer> {
  for await (const { bytes } of linesOf(source, MAX_LINE)) {
    if (isBlank(bytes)) continue;
    const row: unknown = JSON.parse(bytes.toString("utf8"));
    if (isJsonObject(row) && isJsonObject(row.body)) row.body = rows.bodyOf(row.url, row.body);
    yield Buffer.from(`${JSON.stringify(row)}\n`);
  }
}

/** Bytes that a stream has in all. */
async function lengthOf(source: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const chunk of source) length += chunk.length;
  return length;
}

/** A file to send to a provider. */
interface OutgoingFile {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}
