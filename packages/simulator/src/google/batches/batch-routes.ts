import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { type JsonObject, objectOf, objectsIn, stringOf } from "../../util/json.ts";
import { invalidArgument, modelNotFound, notFound } from "../failures.ts";
import type { GoogleAccount } from "../google-account.ts";
import { member } from "../members.ts";
import { pageOf } from "../page.ts";
import { batchOperation, type GoogleBatch } from "./batch-record.ts";
import { runBatch } from "./run-batch.ts";

const TWO_DAYS = 48 * 60 * 60 * 1000;

/** Create, list, retrieve, cancel and delete batch jobs. */
export function batchRoutes(account: GoogleAccount): Route[] {
  const one = "/{version}/batches/{id}";
  const found = (exchange: Exchange): GoogleBatch => get(account, `batches/${exchange.params.id ?? ""}`);
  return [
    {
      method: "POST",
      pattern: "/{version}/models/{model}:batchGenerateContent",
      handle: (exchange) => create(exchange, account),
    },
    { method: "GET", pattern: "/{version}/batches", handle: (exchange) => list(exchange, account) },
    { method: "GET", pattern: one, handle: (exchange) => json(batchOperation(found(exchange))) },
    { method: "POST", pattern: `${one}:cancel`, handle: (exchange) => cancel(found(exchange)) },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(account, found(exchange)) },
  ];
}

function get(account: GoogleAccount, name: string): GoogleBatch {
  const batch = account.batches.get(name);
  if (batch === undefined) throw notFound(`Batch ${name} was not found.`);
  return batch;
}

function create(exchange: Exchange, account: GoogleAccount): Reply {
  const { state, params, text } = exchange;
  const model = params.model ?? "";
  if (model.startsWith("unknown")) throw modelNotFound(model, "batchGenerateContent");
  const settings = objectOf(exchange.body.batch);
  const { inline, inputFile } = inputOf(objectOf(member(settings, "inputConfig")));
  if (inputFile !== undefined) account.files.get(inputFile);
  const now = state.clock();
  const batch: GoogleBatch = {
    name: `batches/${state.ids.next("", text, 36).toLowerCase()}`,
    model,
    displayName: stringOf(member(settings, "displayName")) ?? "",
    created: now,
    expires: now + (state.settings.batchExpiresMs || TWO_DAYS),
    inline,
    inputFile,
    state: "PENDING",
    updated: now,
    ended: undefined,
    cancelled: false,
    counts: { total: inline?.length ?? 0, succeeded: 0, failed: 0 },
    responses: [],
    outputFile: undefined,
    error: undefined,
  };
  account.batches.set(batch.name, batch);
  runBatch({ state, files: account.files, signal: account.signal }, batch).catch((error: unknown) => {
    batch.error = error instanceof Error ? error.message : String(error);
    batch.state = "FAILED";
    batch.ended = state.clock();
  });
  return json(batchOperation(batch));
}

function inputOf(config: JsonObject): { inline: JsonObject[] | undefined; inputFile: string | undefined } {
  const inputFile = stringOf(member(config, "fileName"));
  if (inputFile !== undefined) return { inline: undefined, inputFile };
  const inline = objectsIn(objectOf(config.requests).requests);
  if (inline.length === 0) {
    throw invalidArgument(
      "* BatchGenerateContentRequest.batch.input_config: needs requests or a file_name\n",
    );
  }
  return { inline, inputFile: undefined };
}

function list(exchange: Exchange, account: GoogleAccount): Reply {
  const { items, next } = pageOf([...account.batches.values()].toReversed(), exchange.query);
  return json({ operations: items.map(batchOperation), ...next });
}

function cancel(batch: GoogleBatch): Reply {
  if (batch.ended === undefined) batch.cancelled = true;
  return json({});
}

function remove(account: GoogleAccount, batch: GoogleBatch): Reply {
  batch.cancelled = true;
  account.batches.delete(batch.name);
  return json({});
}
