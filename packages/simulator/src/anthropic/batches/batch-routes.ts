import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { invalidRequest, notFound } from "../failures.ts";
import type { PromptCache } from "../messages/prompt-cache.ts";
import { pageOf } from "./batch-page.ts";
import { batchObject, type MessageBatch } from "./batch-record.ts";
import { readRequests } from "./read-requests.ts";
import { runBatch } from "./run-batch.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The message batches of one account. */
export class BatchStore {
  readonly batches = new Map<string, MessageBatch>();
  #stop = new AbortController();

  /** Aborts when the store is cleared, which ends the batches that run. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  clear(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.batches.clear();
  }
}

/** Create, list, retrieve, cancel, delete and read the results of message batches. */
export function batchRoutes(store: BatchStore, cache: PromptCache): Route[] {
  const all = "/v1/messages/batches";
  const one = `${all}/{id}`;
  const found = (exchange: Exchange): MessageBatch => get(store, exchange.params.id ?? "");
  return [
    { method: "POST", pattern: all, handle: (exchange) => create(exchange, store, cache) },
    { method: "GET", pattern: all, handle: (exchange) => list(exchange, store) },
    { method: "GET", pattern: one, handle: (exchange) => shown(exchange, found(exchange)) },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(found(exchange), store) },
    { method: "POST", pattern: `${one}/cancel`, handle: (exchange) => cancel(exchange, found(exchange)) },
    { method: "GET", pattern: `${one}/results`, handle: (exchange) => results(found(exchange)) },
  ];
}

function get(store: BatchStore, id: string): MessageBatch {
  const batch = store.batches.get(id);
  if (batch === undefined) throw notFound(`No batch with the id ${id} was found.`);
  return batch;
}

function create(exchange: Exchange, store: BatchStore, cache: PromptCache): Reply {
  const { state, body, text } = exchange;
  const requests = readRequests(body);
  const created = state.clock();
  const batch: MessageBatch = {
    id: state.ids.next("msgbatch_01", text, 22),
    created,
    expires: created + (state.settings.batchExpiresMs || DAY),
    requests,
    results: [],
    status: "in_progress",
    ended: undefined,
    cancelInitiated: undefined,
  };
  store.batches.set(batch.id, batch);
  // Only a reset or a fault of the simulator itself stops the work before its end.
  runBatch(state, cache, batch, store.signal).catch(() => {
    batch.status = "ended";
    batch.ended = state.clock();
  });
  return shown(exchange, batch);
}

function shown(exchange: Exchange, batch: MessageBatch): Reply {
  return json(batchObject(batch, baseOf(exchange)));
}

function list(exchange: Exchange, store: BatchStore): Reply {
  const page = pageOf([...store.batches.values()], exchange.query);
  return json({ ...page, data: page.data.map((batch) => batchObject(batch, baseOf(exchange))) });
}

function baseOf({ request, received, path }: Exchange): string {
  const prefix = received.path.slice(0, received.path.length - path.length);
  return `http://${request.headers.host ?? "localhost"}${prefix}`;
}

function cancel(exchange: Exchange, batch: MessageBatch): Reply {
  if (batch.status === "in_progress") {
    batch.status = "canceling";
    batch.cancelInitiated = exchange.state.clock();
  }
  return shown(exchange, batch);
}

function remove(batch: MessageBatch, store: BatchStore): Reply {
  if (batch.status !== "ended") {
    throw invalidRequest(
      `Message Batch ${batch.id} cannot be deleted while it is still processing. Cancel it first.`,
    );
  }
  store.batches.delete(batch.id);
  return json({ id: batch.id, type: "message_batch_deleted" });
}

function results(batch: MessageBatch): Reply {
  if (batch.status !== "ended") {
    throw notFound(`Results for ${batch.id} are not available: the batch has not finished processing.`);
  }
  const lines = batch.results.map((line) => `${JSON.stringify(line)}\n`);
  return { kind: "pieces", contentType: "application/x-jsonl", pieces: lines };
}
