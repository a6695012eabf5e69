import type { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import type { Clock } from "../util/clock.ts";
import type { JsonObject, JsonValue } from "../util/json.ts";
import { changeObject, type Field, newObject } from "./shape.ts";
import { type Can, type Collection, type Operation, readTable } from "./table.ts";

/** How one provider writes what the resources of its table have in common. */
export interface ResourceStyle {
  time(clock: Clock): JsonValue;
  /** A page of a list, newest first; `lenient` takes a cursor that names nothing. */
  page(items: readonly Kept[], query: URLSearchParams, lenient: boolean): unknown;
  missing(member: string): ApiFailure;
  notFound(id: string): ApiFailure;
}

/** An object that is kept, with the id by which it is found. */
export interface Kept {
  readonly id: string;
  readonly object: JsonObject;
}

/** The objects of one account, by the path of their collection. Nothing runs behind them: they hold what was sent. */
export class Resources {
  readonly #collections = new Map<string, Map<string, Kept>>();

  at(path: string): Map<string, Kept> {
    const kept = this.#collections.get(path) ?? new Map<string, Kept>();
    this.#collections.set(path, kept);
    return kept;
  }

  clear(): void {
    this.#collections.clear();
  }
}

const methods: Readonly<Record<Can, string>> = {
  create: "POST",
  list: "GET",
  get: "GET",
  update: "POST",
  patch: "PATCH",
  put: "PUT",
  delete: "DELETE",
};

/** The routes of a table of resources, most definite path first. */
export function resourceRoutes(text: string, resources: Resources, style: ResourceStyle): Route[] {
  const rows = readTable(text);
  const collections = rows.filter((row): row is Collection => "can" in row);
  const access = new ResourceAccess(collections, resources, style);
  const routes = rows.flatMap((row) => ("can" in row ? access.routesOf(row) : access.routeOf(row)));
  // A variable sorts behind every letter, so that a fixed word is found before it.
  const rank = ({ pattern }: Route): string => pattern.replaceAll(/\{\w+\}/g, "\u{10ffff}");
  return routes.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}

class ResourceAccess {
  readonly #collections: ReadonlyMap<string, Collection>;
  readonly #resources: Resources;
  readonly #style: ResourceStyle;

  constructor(collections: readonly Collection[], resources: Resources, style: ResourceStyle) {
    this.#collections = new Map(collections.map((each) => [plain(each.path), each]));
    this.#resources = resources;
    this.#style = style;
  }

  routesOf(row: Collection): Route[] {
    const one = `${row.path}/{id}`;
    const handlers: Readonly<Record<Can, (exchange: Exchange) => Reply>> = {
      create: (exchange) => this.#create(row, exchange),
      list: (exchange) => this.#list(row, exchange),
      get: (exchange) => json(this.#find(row, exchange).object),
      update: (exchange) => this.#change(row, exchange, row.fields),
      patch: (exchange) => this.#change(row, exchange, row.fields),
      put: (exchange) => this.#change(row, exchange, row.fields),
      delete: (exchange) => this.#delete(row, exchange),
    };
    const routes: Route[] = [...row.can].map((can) => ({
      method: methods[can],
      pattern: can === "create" || can === "list" ? row.path : one,
      handle: handlers[can],
      body: "any",
    }));
    for (const { method, name, fields } of row.actions)
      routes.push({
        method,
        pattern: `${one}/${name}`,
        handle: (exchange) => this.#act(row, exchange, fields),
        body: "any",
      });
    return routes;
  }

  routeOf({ method, path, answer }: Operation): Route {
    const handle = (exchange: Exchange): Reply => {
      this.#checkParents(path, exchange);
      if (answer === "empty") return bytes("", "text/plain");
      if (answer === "binary") return bytes("simulated", "application/octet-stream");
      if (answer === "page") return json(this.#style.page([], exchange.query, true));
      const id = exchange.state.ids.next(`${path.split("/").at(-1)}_`, exchange.text);
      return json(this.#made(answer, exchange, { id, ...exchange.params }));
    };
    return { method, pattern: path, handle, body: "any" };
  }

  #create(row: Collection, exchange: Exchange): Reply {
    this.#checkParents(row.path, exchange);
    const missing = row.needs.find((name) => exchange.body[name] === undefined);
    if (missing !== undefined) throw this.#style.missing(missing);
    const id = exchange.state.ids.next(row.prefix, exchange.text);
    const { object } = this.#keep(row, exchange, id);
    return json({ ...object, ...this.#made(row.once, exchange, {}) });
  }

  #list(row: Collection, exchange: Exchange): Reply {
    this.#checkParents(row.path, exchange);
    const kept = [...this.#resources.at(filled(row.path, exchange)).values()];
    return json(this.#style.page(kept, exchange.query, exchange.state.placeholders));
  }

  #change(row: Collection, exchange: Exchange, fields: readonly Field[]): Reply {
    const { object } = this.#find(row, exchange);
    changeObject(object, fields, exchange.body);
    return json(object);
  }

  #act(row: Collection, exchange: Exchange, sets: readonly Field[]): Reply {
    const { object } = this.#find(row, exchange);
    Object.assign(object, this.#made(sets, { ...exchange, body: {} }, {}));
    return json(object);
  }

  #delete(row: Collection, exchange: Exchange): Reply {
    const { id, object } = this.#find(row, exchange);
    this.#resources.at(filled(row.path, exchange)).delete(id);
    return json(
      row.deleted === undefined ? object : this.#made(row.deleted, exchange, { ...exchange.params, id }),
    );
  }

  #find(row: Collection, exchange: Exchange): Kept {
    this.#checkParents(row.path, exchange);
    const id = exchange.params.id ?? "";
    const kept = this.#resources.at(filled(row.path, exchange)).get(id);
    if (kept !== undefined) return kept;
    if (!exchange.state.placeholders) throw this.#style.notFound(id);
    return this.#keep(row, { ...exchange, body: {} }, id);
  }

  #keep(row: Collection, exchange: Exchange, id: string): Kept {
    const kept = { id, object: this.#made(row.fields, exchange, { ...exchange.params, id }) };
    this.#resources.at(filled(row.path, exchange)).set(id, kept);
    return kept;
  }

  #made(fields: readonly Field[], { state, body, text }: Exchange, ids: Readonly<Record<string, string>>) {
    return newObject(fields, {
      time: this.#style.time(state.clock),
      ids,
      given: body,
      secret: (prefix) => state.ids.next(prefix, text, 32),
    });
  }

  /** Throws 404 where an object on the way to a path does not exist. */
  #checkParents(path: string, exchange: Exchange): void {
    if (exchange.state.placeholders) return;
    const parts = path.split("/");
    for (const [index, part] of parts.entries()) {
      const above = parts.slice(0, index).join("/");
      if (!part.startsWith("{") || !this.#collections.has(plain(above))) continue;
      const id = exchange.params[part.slice(1, -1)] ?? "";
      if (!this.#resources.at(filled(above, exchange)).has(id)) throw this.#style.notFound(id);
    }
  }
}

function plain(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "{}");
}

/** A path with its variables filled in, which tells apart the collections of different objects. */
function filled(path: string, { params }: Exchange): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function bytes(content: string, contentType: string): Reply {
  return { kind: "pieces", contentType, pieces: [content], length: Buffer.byteLength(content) };
}
