import type { Exchange } from "../../http/exchange.ts";
import { replyTo } from "../../http/model-call.ts";
import { eventStream, json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { stringOf } from "../../util/json.ts";
import { checkParameters } from "../check-parameters.ts";
import { invalidRequest, invalidValue } from "../failures.ts";
import type { Flavour } from "../flavour.ts";
import { pageOf, usualPages } from "../lists/page.ts";
import { compact } from "./compact.ts";
import { responseStream } from "./event-stream.ts";
import { inputItems } from "./input-items.ts";
import { inputTokensOf } from "./read-response.ts";
import { contextOf, type ResponseAccount, responseCall } from "./response-call.ts";
import { responseObject } from "./response-object.ts";
import { type ResponseRecord, statusAt } from "./response-record.ts";

/** Create, retrieve, delete, cancel, input items and input tokens of responses. */
export function responseRoutes(account: ResponseAccount, flavour: Flavour): Route[] {
  const one = "/responses/{id}";
  const found = (exchange: Exchange): ResponseRecord => account.responses.get(exchange.params.id ?? "");
  return [
    { method: "POST", pattern: "/responses", handle: (exchange) => create(exchange, account, flavour) },
    {
      method: "POST",
      pattern: "/responses/input_tokens",
      handle: (exchange) => countInput(exchange, account),
    },
    {
      method: "POST",
      pattern: "/responses/compact",
      handle: (exchange) => compact(exchange, account, flavour),
    },
    { method: "GET", pattern: one, handle: (exchange) => retrieve(exchange, found(exchange)) },
    { method: "DELETE", pattern: one, handle: (exchange) => remove(exchange, account) },
    { method: "POST", pattern: `${one}/cancel`, handle: (exchange) => cancel(exchange, found(exchange)) },
    {
      method: "GET",
      pattern: `${one}/input_items`,
      handle: (exchange) => listInput(exchange, found(exchange)),
    },
  ];
}

function create(exchange: Exchange, account: ResponseAccount, flavour: Flavour): Reply {
  const { state, body, text, behaviour } = exchange;
  checkParameters("/responses", body, flavour);
  return replyTo(
    exchange,
    responseCall(state, account, body, { flavour, seed: text, tokens: behaviour.tokens }),
  );
}

function countInput(exchange: Exchange, account: ResponseAccount): Reply {
  const { body, state, text } = exchange;
  const context = contextOf(account, body);
  const items = [...context.items, ...inputItems(body.input, (prefix) => state.ids.next(prefix, text, 48))];
  return json({ object: "response.input_tokens", input_tokens: inputTokensOf(body, items) });
}

function retrieve(exchange: Exchange, record: ResponseRecord): Reply {
  const { query, state } = exchange;
  if (query.get("stream") !== "true") return json(responseObject(record, statusAt(record, state.clock())));
  const after = query.get("starting_after");
  if (after !== null && !/^\d+$/.test(after)) {
    throw invalidValue("starting_after", "Invalid 'starting_after': expected a sequence number.");
  }
  return eventStream(responseStream(record, state.clock, after === null ? -1 : Number(after)));
}

function remove(exchange: Exchange, account: ResponseAccount): Reply {
  const id = exchange.params.id ?? "";
  account.responses.delete(id);
  return json({ id, object: "response", deleted: true });
}

function cancel(exchange: Exchange, record: ResponseRecord): Reply {
  const now = exchange.state.clock();
  if (record.request.background !== true) throw invalidRequest("Cannot cancel a synchronous response.");
  const status = statusAt(record, now);
  if (status === "queued" || status === "in_progress") record.cancelledMs = now;
  else if (status !== "cancelled") throw invalidRequest(`Cannot cancel a response with status '${status}'.`);
  return json(responseObject(record, statusAt(record, now)));
}

function listInput(exchange: Exchange, record: ResponseRecord): Reply {
  return json(pageOf(record.input, (item) => stringOf(item.id) ?? "", exchange.query, usualPages));
}
