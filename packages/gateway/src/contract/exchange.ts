import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { CallSignal } from "../util/light-signal.ts";
import type { CallRecord } from "./call-record.ts";
import type { ReadBody } from "./json-body.ts";
import type { Principal } from "./principal.ts";
import type { SocketProtocol } from "./socket.ts";
import type { Family } from "./wire-format.ts";

/** One request on its way through the gateway. */
export interface Exchange {
  /** `gateway_call_id`: names this call in headers, hooks, log and spend rows. */
  readonly callId: string;
  readonly method: string;
  /** Path without the query, percent-encoding kept. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Path parameters of the matched route, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly family: Family;
  /** Under the customer and the tags that the request names, once its body has been read. */
  principal: Principal;
  /**
   * Who asks, of a route that is open to everybody and shows more to some: under the rules of one that needs a key. Absent
   * where `principal` says it.
   */
  readonly identify?: () => Promise<Principal>;
  /** Where the request comes from; absent where none came over the network. */
  readonly address?: string;
  /** Aborted when the caller leaves before the answer is complete. */
  readonly signal: AbortSignal;
  /** The same for those who only want to be told: making an `AbortSignal` costs more. */
  readonly caller: CallSignal;
  /** Stops what works for the caller, as when the caller leaves; an error can still be answered. */
  abort(reason: unknown): void;
  /** From here on the caller's leaving aborts nothing: what is made now costs something also where nobody waits for it. */
  outliveCaller(): void;
  /** What becomes known about the call on its way; read for headers, log and accounting. */
  readonly call: CallRecord;
  /** The whole request body within the size limit; 413 past it, 408 when it stalls. */
  readBody(): Promise<Buffer>;
  /** The body as a stream, for uploads. */
  bodyStream(): Readable;
}

/** An answer: a body held in memory, or a stream written with back-pressure. */
export type Reply = BufferedReply | StreamedReply;

export interface BufferedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON; bytes as they are with the content type in `headers`. */
  readonly body: object | string | Uint8Array;
  /** What the bytes say, where they were read on the way. */
  readonly read?: ReadBody;
}

export interface StreamedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends normally only when the stream was complete; a throw cuts the connection. */
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Answers one request; a thrown `GatewayError` becomes the error body of the caller's family. */
export type Handler = (exchange: Exchange) => Promise<Reply>;

/** Who may call a route. */
export type Access = "public" | "key" | "admin";

/** One line of an endpoint group: what it answers and to whom. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** find-my-way syntax; `:id` for a segment, `*` for the rest, which a verb may end (`/v1beta/models/*:countTokens`). */
  readonly path: string;
  readonly access: Access;
  readonly family: Family;
  /** Another maker's API has the same path: its clients are known by their headers and get its answers. */
  readonly sharedWith?: "google";
  readonly handler: Handler;
  /** Takes the requests that carry an `Idempotency-Key`, where the route makes something or costs something. */
  readonly onceHandler?: Handler;
  /** Name in the spend log and metrics, as LiteLLM spells it (`acompletion`, `anthropic_messages`, ...). */
  readonly callType: string;
  /** How the route's requests come over a WebSocket to the same path, where they may. */
  readonly socket?: SocketProtocol;
  /** Asked only where no other route takes the method and the path, or the one that does gives way. */
  readonly isLastResort?: true;
  /** Whether it leaves these parameters to a route of last resort, where there is one. */
  readonly givesWay?: (params: Readonly<Record<string, string>>) => boolean;
  /** Bytes a buffered body may have, where the group's limit differs from the general one. */
  readonly maxBodyBytes?: number;
}

/** A route for every key. @param family whose conventions its answers and errors follow */
export function keyRoute(
  method: Route["method"],
  path: string,
  callType: string,
  handler: Handler,
  family: Family = "openai",
): Route {
  return { method, path, access: "key", family, callType, handler };
}

/** A page or a file that everybody may read. */
export function publicRoute(path: string, callType: string, handler: Handler): Route {
  return { method: "GET", path, access: "public", family: "openai", callType, handler };
}
