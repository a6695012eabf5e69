import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { seconds } from "../../util/clock.ts";
import { isObject, type JsonObject, stringOf } from "../../util/json.ts";
import type { OpenAiAccount } from "../account.ts";
import { invalidRequest, invalidValue, missingParameter, notFound } from "../failures.ts";
import type { Flavour } from "../flavour.ts";
import { pageOf, usualPages } from "../lists/page.ts";
import { batchPaths } from "../model-calls.ts";
import { type BatchRecord, batchObject } from "./batch-record.ts";
import { runBatch } from "./run-batch.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Create, list, retrieve and cancel batches. */
export function batchRoutes(account: OpenAiAccount, flavour: Flavour): Route[] {
  const one = "/batches/{id}";
  const found = (exchange: Exchange): BatchRecord => get(account, exchange.params.id ?? "");
  return [
    { method: "POST", pattern: "/batches", handle: (exchange) => create(exchange, account, flavour) },
    { method: "GET", pattern: "/batches", handle: (exchange) => list(exchange, account) },
    { method: "GET", pattern: one, handle: (exchange) => json(batchObject(found(exchange))) },
    { method: "POST", pattern: `${one}/cancel`, handle: (exchange) => cancel(exchange, found(exchange)) },
  ];
}

function get(account: OpenAiAccount, id: string): BatchRecord {
  const batch = account.batches.get(id);
  if (batch === undefined) throw notFound(`No batch found with id '${id}'.`);
  return batch;
}

function create(exchange: Exchange, account: OpenAiAccount, flavour: Flavour): Reply {
  const { state, body, text } = exchange;
  const endpoint = endpointOf(body, flavour);
  const inputFileId = required(body, "input_file_id");
  const input = account.files.get(inputFileId);
  if (input.purpose !== "batch") {
    throw invalidRequest(`Invalid file purpose: '${input.purpose}'. Expected 'batch'.`, "input_file_id");
  }
  const window = required(body, "completion_window");
  if (window !== "24h") {
    throw invalidValue("completion_window", `Invalid value: '${window}'. Value must be '24h'.`);
  }
  const batch: BatchRecord = {
    id: state.ids.next("batch_", text),
    endpoint,
    inputFileId,
    metadata: isObject(body.metadata) ? body.metadata : null,
    created: seconds(state.clock),
    expiresMs: state.clock() + (state.settings.batchExpiresMs || DAY),
    status: "validating",
    times: {},
    errors: [],
    outputFileId: null,
    errorFileId: null,
    model: null,
    counts: { total: 0, completed: 0, failed: 0 },
    usage: { input: 0, output: 0, reasoning: 0 },
  };
  account.batches.set(batch.id, batch);
  const shown = batchObject(batch);
  runBatch({ state, account, flavour, signal: account.signal }, batch, input).catch((error: unknown) =>
    fail(batch, error),
  );
  return json(shown);
}

// A file that was deleted meanwhile, or a full disk: the batch says so instead of hanging.
function fail(batch: BatchRecord, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  batch.errors.push({ code: "internal_error", line: null, message, param: null });
  batch.status = "failed";
}

function endpointOf(body: JsonObject, flavour: Flavour): string {
  const endpoint = required(body, "endpoint");
  const paths: readonly string[] = batchPaths;
  const known =
    paths.includes(endpoint.replace(/^\/v1/, "")) && (flavour === "azure" || endpoint.startsWith("/v1/"));
  if (known) return endpoint;
  const supported = batchPaths.map((path) => `'/v1${path}'`).join(", ");
  throw invalidValue("endpoint", `Invalid value: '${endpoint}'. Supported values are: ${supported}.`);
}

function required(body: JsonObject, name: string): string {
  const value = stringOf(body[name]);
  if (value === undefined) throw missingParameter(name);
  return value;
}

function list(exchange: Exchange, account: OpenAiAccount): Reply {
  const page = pageOf([...account.batches.values()], (batch) => batch.id, exchange.query, usualPages);
  return json({ ...page, data: page.data.map(batchObject) });
}

function cancel(exchange: Exchange, batch: BatchRecord): Reply {
  if (!["validating", "in_progress", "finalizing", "cancelling"].includes(batch.status)) {
    throw invalidRequest(`Cannot cancel a batch with status '${batch.status}'.`);
  }
  if (batch.status !== "cancelling") {
    batch.status = "cancelling";
    batch.times.cancelling = seconds(exchange.state.clock);
  }
  return json(batchObject(batch));
}
