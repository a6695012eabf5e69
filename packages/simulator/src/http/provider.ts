import type { OutgoingHttpHeaders } from "node:http";
import type { ApiFailure } from "./api-failure.ts";
import type { Exchange } from "./exchange.ts";
import type { Piece } from "./reply.ts";
import type { RouteMatch } from "./route.ts";
import type { SocketProtocol } from "./socket/socket-protocol.ts";

/** One provider's face: its operations, its authentication, its headers and its errors. */
export interface Provider {
  /** Start of every path of this provider, without a slash at the end. */
  readonly prefix: string;
  /** The operation for a request; throws `ApiFailure` where the provider says more than "not found". */
  find(exchange: Exchange): RouteMatch | undefined;
  /** Throws `ApiFailure` for a missing or wrong key. */
  authenticate(exchange: Exchange): void;
  /** Headers of every answer: request id, rate limits. */
  headers(exchange: Exchange): OutgoingHttpHeaders;
  /** Body of an error answer. */
  errorBody(failure: ApiFailure, exchange: Exchange): unknown;
  /** What the provider writes into a stream that fails in its middle. */
  errorEvent(failure: ApiFailure, exchange: Exchange): Piece;
  /** What it serves over WebSockets. */
  readonly socket?: SocketProtocol;
  /** Prefix of the provider's request ids. */
  readonly requestIdPrefix: string;
  /** Forgets everything stored. */
  reset(): Promise<void> | void;
}
