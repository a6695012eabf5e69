import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { seconds } from "../../util/clock.ts";
import { type JsonObject, objectOf, stringOf, stringsIn } from "../../util/json.ts";
import { missingParameter } from "../failures.ts";
import type { FileStore } from "../files/file-store.ts";
import { pageOf, usualPages } from "../lists/page.ts";
import { addStoredFile } from "./container-file-routes.ts";
import { type Container, type ContainerStore, containerObject } from "./container-store.ts";

/** Create, list, retrieve and delete containers. */
export function containerRoutes(containers: ContainerStore, files: FileStore): Route[] {
  const one = "/containers/{id}";
  return [
    { method: "POST", pattern: "/containers", handle: (exchange) => create(exchange, containers, files) },
    { method: "GET", pattern: "/containers", handle: (exchange) => list(exchange, containers) },
    { method: "GET", pattern: one, handle: (exchange) => retrieve(exchange, containers) },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(exchange, containers) },
  ];
}

async function create(exchange: Exchange, containers: ContainerStore, files: FileStore): Promise<Reply> {
  const { state, body, text } = exchange;
  const name = stringOf(body.name);
  if (name === undefined) throw missingParameter("name");
  const now = seconds(state.clock);
  const expiresAfter: JsonObject = { anchor: "last_active_at", minutes: 20, ...objectOf(body.expires_after) };
  const container: Container = {
    id: state.ids.next("cntr_", text, 48),
    name,
    created: now,
    lastActive: now,
    expiresAfter,
    memoryLimit: stringOf(body.memory_limit) ?? "1g",
    networkPolicy: { type: "disabled", ...objectOf(body.network_policy) },
    files: new Map(),
  };
  for (const id of stringsIn(body.file_ids)) await addStoredFile(exchange, container, files.get(id));
  containers.add(container);
  return json(containerObject(container));
}

function list(exchange: Exchange, containers: ContainerStore): Reply {
  const name = exchange.query.get("name");
  const chosen = containers.list().filter((container) => name === null || container.name === name);
  const page = pageOf(chosen, (container) => container.id, exchange.query, usualPages);
  return json({ ...page, data: page.data.map(containerObject) });
}

function retrieve(exchange: Exchange, containers: ContainerStore): Reply {
  const container = containers.get(exchange.params.id ?? "");
  container.lastActive = seconds(exchange.state.clock);
  return json(containerObject(container));
}

function remove(exchange: Exchange, containers: ContainerStore): Reply {
  const id = exchange.params.id ?? "";
  containers.delete(id);
  return json({ id, object: "container.deleted", deleted: true });
}
