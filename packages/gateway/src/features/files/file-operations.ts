import { checkQuery } from "../../contract/check.ts";
import { GatewayError, invalidRequest, noStore } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readPage } from "../../contract/paging.ts";
import { ownAlias, type Principal, requireModel } from "../../contract/principal.ts";
import { pathBelow, upstreamPath } from "../../contract/upstream-path.ts";
import { chooseProvider, providerFor, selectorOrder } from "../../core/objects/choose-provider.ts";
import { governed, governedJson } from "../../core/objects/governed-call.ts";
import { queryForProvider } from "../../core/objects/list-page.ts";
import type { ObjectRow } from "../../core/objects/objects-table.ts";
import { configuredOrigin, originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { LocatedObject, Origin } from "../../core/objects/ownership.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";
import { seesEveryTenant } from "../../core/objects/tenant.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import { resolveModel } from "../../core/routing/resolve-model.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import { type FileDeps, type FileService, pathOfFile } from "./file-service.ts";
import { mergedPage } from "./merged-page.ts";
import { guardRows, receiveUpload, type Upload } from "./receive-upload.ts";
import { filePage, fileQuery } from "./schema.ts";
import { fileObject, storedFile } from "./stored-file.ts";
import { readUploadFields, type UploadFields } from "./upload-fields.ts";
import { requireVisibleRows } from "./visible-rows.ts";

/** The five operations on files. Provider: path, then (create only) form field, header, query, then the default. */
export class FileOperations {
  readonly #deps: FileDeps;
  readonly #files: FileService;

  constructor(deps: FileDeps, files: FileService) {
    this.#deps = deps;
    this.#files = files;
  }

  async create(exchange: Exchange): Promise<Reply> {
    const { maxFileSizeMb } = this.#deps.config.current.generalSettings;
    const limits = { maxBytes: maxFileSizeMb * 2 ** 20 };
    let upload: Upload | undefined;
    let placed: { object: JsonObject; kept: boolean } | undefined;
    const receive = async (): Promise<JsonObject> => {
      upload = await receiveUpload(exchange, this.#deps.storage, limits);
      await requireVisibleRows(this.#deps.ownership, upload.references, exchange.principal);
      const { hooks, storage } = this.#deps;
      if (upload.summary !== undefined && hooks.has("guardData"))
        upload = await guardRows(storage, upload, (body) => hooks.guardData(body));
      return { filename: upload.filename, ...Object.fromEntries(upload.fields) };
    };
    const run = async (data: JsonObject): Promise<JsonObject> => {
      const filename = typeof data.filename === "string" ? data.filename : upload!.filename;
      upload = { ...upload!, filename };
      placed = await this.#place(exchange, upload, readUploadFields(upload.fields, data));
      return placed.object;
    };
    const undo = async (): Promise<void> => {
      if (placed === undefined) return;
      const located = await this.#files.locate(String(placed.object.id), exchange.principal);
      await this.#remove(located, this.#files.originOf(located, exchange.principal), exchange);
    };
    try {
      return await governedJson(this.#deps, exchange, receive, run, { undo });
    } finally {
      if (upload !== undefined && placed?.kept !== true) await this.#deps.storage.delete(upload.key);
    }
  }

  list(exchange: Exchange): Promise<Reply> {
    const chosen = chooseProvider(exchange, selectorOrder["GET files"]);
    const data = {
      ...(chosen === undefined ? {} : { custom_llm_provider: chosen }),
      query_params: Object.fromEntries(exchange.query),
    };
    readPage(filePage, exchange.query);
    checkQuery(fileQuery, exchange.query);
    return governedJson(this.#deps, exchange, data, async (changed) => {
      const steered = steeredExchange(exchange, data, changed);
      const { query, principal } = steered;
      const named = chooseProvider(steered, selectorOrder["GET files"]);
      const page = readPage(filePage, query);
      const { purpose } = checkQuery(fileQuery, query);
      const origin = this.#listedOrigin(named, principal);
      return mergedPage(this.#deps, {
        kind: "file",
        name: `${named ?? ""} ${purpose ?? ""}`,
        principal,
        ...page,
        provider:
          origin === undefined
            ? undefined
            : {
                origin,
                read: (after, limit) =>
                  this.#providerPage(steered, origin, { ...page, after, limit, purpose }),
              },
        own: async (after, limit) => {
          const rows = await this.#ownRows(exchange, named, purpose, page.order, after, limit);
          return rows.map((row) => ({ position: row, item: fileObject(row, storedFile(row)!) }));
        },
        accepts: ({ origin: made }) => named === undefined || made === undefined || made.provider === named,
      });
    });
  }

  retrieve(exchange: Exchange): Promise<Reply> {
    return this.#withFile(exchange, async (located, origin) => {
      const kept = storedFile(located.row);
      if (kept !== undefined) return fileObject(located.row!, kept);
      const request = { method: "GET", path: pathOfFile(located) };
      return { ...(await this.#files.client.json(origin, request, exchange)), id: located.id };
    });
  }

  delete(exchange: Exchange): Promise<Reply> {
    return this.#withFile(exchange, (located, origin) => this.#remove(located, origin, exchange));
  }

  async #remove(located: LocatedObject, origin: Origin, exchange: Exchange): Promise<JsonObject> {
    const deleted = { id: located.id, object: "file", deleted: true };
    if (storedFile(located.row) !== undefined) {
      await this.#files.delete(located.row!, exchange);
      return deleted;
    }
    const request = { method: "DELETE", path: pathOfFile(located) };
    const answer = await this.#files.client.json(origin, request, exchange);
    if (located.row !== undefined) await this.#deps.ownership.forget(located.row.id);
    return { ...answer, id: located.id };
  }

  /** The bytes as they are, with their length where it is known. */
  async content(exchange: Exchange): Promise<Reply> {
    const { data, steer } = await this.#steering(exchange);
    return governed(this.#deps, exchange, data, async (changed) => {
      const { located, origin } = await steer(changed);
      const kept = storedFile(located.row);
      if (kept !== undefined) {
        const headers = { "content-type": kept.contentType, "content-length": String(kept.bytes) };
        return { status: 200, headers, stream: this.#deps.storage.read(kept.key) };
      }
      const request = { method: "GET", path: pathBelow(pathOfFile(located), upstreamPath`/content`) };
      const response = await this.#files.client.request(origin, request, exchange);
      const length = headerValue(response.headers, "content-length");
      const headers = {
        "content-type": headerValue(response.headers, "content-type") ?? "application/octet-stream",
        ...(length === undefined ? {} : { "content-length": length }),
      };
      return { status: 200, headers, stream: response.body };
    });
  }

  /** Unified files and those of providers without a place for them stay here; the others go to their provider. */
  async #place(
    exchange: Exchange,
    upload: Upload,
    fields: UploadFields,
  ): Promise<{ object: JsonObject; kept: boolean }> {
    if (fields.models.length > 0) {
      this.#checkModels(exchange, fields.models);
      return this.#keep(exchange, upload, fields, "gateway");
    }
    const named = chooseProvider(exchange, selectorOrder["POST files"], { body: fields.data });
    const origin = this.#uploadOrigin(named, exchange.principal);
    if (origin === undefined) return this.#keep(exchange, upload, fields, named ?? DEFAULT_PROVIDER);
    try {
      return { object: await this.#send(exchange, upload, fields, origin), kept: false };
    } catch (error) {
      const lacksFiles = error instanceof GatewayError && [404, 405, 501].includes(error.status);
      if (!lacksFiles || !this.#files.storesFiles) throw error;
      return this.#keep(exchange, upload, fields, origin.provider);
    }
  }

  /** Where an upload goes; `undefined` where the gateway must keep it, because no provider can. */
  #uploadOrigin(named: string | undefined, principal: Principal): Origin | undefined {
    const name = named ?? DEFAULT_PROVIDER;
    const provider = this.#deps.findProvider(name);
    if (!this.#files.storesFiles || provider === undefined) {
      providerFor(name, "files", this.#deps.findProvider);
      return originOfProvider(this.#deps, name, "files", principal);
    }
    if (!provider.resources.has("files")) return undefined;
    return named === undefined
      ? configuredOrigin(this.#deps, name, "files", principal)
      : originOfProvider(this.#deps, name, "files", principal);
  }

  async #send(
    exchange: Exchange,
    upload: Upload,
    { data, forwarded }: UploadFields,
    origin: Origin,
  ): Promise<JsonObject> {
    const answer = await this.#files.send(
      origin,
      { ...upload, fields: forwarded, content: this.#deps.storage.read(upload.key) },
      exchange,
    );
    const id = await this.#deps.ownership.register("file", exchange.principal, origin, String(answer.id), {
      data: { purpose: data.purpose, ...(upload.summary === undefined ? {} : { summary: upload.summary }) },
    });
    return { ...answer, id };
  }

  async #keep(
    exchange: Exchange,
    upload: Upload,
    { purpose, models, expiresAfter }: UploadFields,
    provider: string,
  ): Promise<{ object: JsonObject; kept: boolean }> {
    if (!this.#files.storesFiles) throw noStore();
    const { key, filename, contentType, bytes, summary } = upload;
    const row = await this.#files.keep(exchange.principal, provider, {
      key,
      filename,
      contentType,
      bytes,
      purpose,
      models,
      summary,
      ...(expiresAfter === undefined ? {} : { expiresAt: Date.now() + expiresAfter * 1000 }),
    });
    return { object: fileObject(row, storedFile(row)!), kept: true };
  }

  #checkModels({ principal }: Exchange, models: readonly string[]): void {
    const config = this.#deps.config.current;
    for (const named of models) {
      const model = ownAlias(principal, named);
      const { modelAliasMap } = config.gatewaySettings;
      const effective = Object.hasOwn(modelAliasMap, model) ? modelAliasMap[model]! : model;
      requireModel(principal, model, effective);
      try {
        resolveModel(effective, config);
      } catch {
        throw invalidRequest(
          `There is no model '${named}'; GET /v1/models lists those that you may call`,
          "target_model_names",
        );
      }
    }
  }

  /** Without a selector, a default provider that is not configured leaves the gateway's own files. */
  #listedOrigin(named: string | undefined, principal: Principal): Origin | undefined {
    const provider = this.#deps.findProvider(named ?? DEFAULT_PROVIDER);
    if (named === undefined) return configuredOrigin(this.#deps, DEFAULT_PROVIDER, "files", principal);
    if (provider !== undefined && !provider.resources.has("files") && this.#files.storesFiles)
      return undefined;
    return originOfProvider(this.#deps, named, "files", principal);
  }

  #providerPage(
    exchange: Exchange,
    origin: Origin,
    page: { after: string | undefined; limit: number; order: string; purpose: string | undefined },
  ): Promise<JsonObject> {
    const query = queryForProvider(exchange.query);
    query.delete("after");
    if (page.after !== undefined) query.set("after", page.after);
    if (query.has("limit")) query.set("limit", String(page.limit));
    return this.#files.client.json(origin, { method: "GET", path: upstreamPath`/files`, query }, exchange);
  }

  async #ownRows(
    { principal }: Exchange,
    named: string | undefined,
    purpose: string | undefined,
    order: "asc" | "desc",
    after: { created_at: number; id: string } | undefined,
    limit: number,
  ) {
    const { objects, ownership } = this.#deps;
    const tenant = seesEveryTenant(principal) ? undefined : ownership.tenantOf(principal);
    const found: ObjectRow[] = [];
    for (let from = after; found.length < limit; ) {
      const query = { kind: "file", tenant, limit, order, after: from, provider: named } as const;
      const rows = (await objects?.listOwn(query)) ?? [];
      const fits = (row: ObjectRow): boolean =>
        (row.expires_at === null || row.expires_at > Date.now()) &&
        (purpose === undefined || storedFile(row)!.purpose === purpose);
      found.push(...rows.filter(fits));
      from = rows.at(-1);
      if (rows.length < limit) break;
    }
    return found.slice(0, limit);
  }

  async #find(exchange: Exchange): Promise<{ located: LocatedObject; origin: Origin; data: JsonObject }> {
    const id = exchange.params.fileId!;
    const named = chooseProvider(exchange, selectorOrder["files/{id}"]);
    const located = await this.#files.locate(id, exchange.principal, exchange.call);
    const staysHere = named === undefined || named === located.origin?.provider;
    const elsewhere = staysHere
      ? undefined
      : originOfProvider(this.#deps, named, "files", exchange.principal);
    const origin = elsewhere ?? this.#files.originOf(located, exchange.principal);
    return { located, origin, data: { file_id: id, custom_llm_provider: origin.provider } };
  }

  /** The data that hooks see, and the file by what they leave of it. */
  async #steering(exchange: Exchange) {
    const { data, ...found } = await this.#find(exchange);
    const steer = async (changed: JsonObject): Promise<{ located: LocatedObject; origin: Origin }> => {
      const steered = steeredExchange(exchange, data, changed, { file_id: "fileId" });
      return steered === exchange ? found : await this.#find(steered);
    };
    return { data, steer };
  }

  async #withFile(
    exchange: Exchange,
    run: (located: LocatedObject, origin: Origin) => Promise<JsonObject>,
  ): Promise<Reply> {
    const { data, steer } = await this.#steering(exchange);
    return governedJson(this.#deps, exchange, data, async (changed) => {
      const { located, origin } = await steer(changed);
      return run(located, origin);
    });
  }
}
