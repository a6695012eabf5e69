import { Readable } from "node:stream";
import type { Exchange } from "../../contract/exchange.ts";

/** The exchange with its body read already and a signal that outlives its caller. */
export function detachedExchange(exchange: Exchange, body: Buffer, signal: AbortSignal): Exchange {
  const own = new AbortController();
  const either = AbortSignal.any([signal, own.signal]);
  const { callId, method, path, query, headers, params, family, principal, call } = exchange;
  return {
    callId,
    method,
    path,
    query,
    headers,
    params,
    family,
    principal,
    signal: either,
    caller: either,
    abort: (reason) => own.abort(reason),
    outliveCaller: () => undefined,
    call,
    readBody: async () => body,
    bodyStream: () => Readable.from([body]),
  };
}
