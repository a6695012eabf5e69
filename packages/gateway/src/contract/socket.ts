import type { Handler } from "./exchange.ts";
import type { JsonObject } from "./json.ts";

/** How a route is spoken over WebSockets (RFC 6455): text frames become requests, the events of answers frames. */
export interface SocketProtocol {
  /** @param maxBytes largest frame, which is also the most that a connection may have remembered for it */
  open(maxBytes: number): SocketSession;
}

/** One connection's side of the protocol. */
export interface SocketSession {
  /**
   * What a text frame asks for.
   * @throws GatewayError for a frame that asks for nothing that can be done
   */
  read(frame: Buffer): SocketCall | SocketNotice;
  /** The frame that tells of an error outside of any call. */
  failure(failure: SocketFailure): string;
  /** The end that is told to a connection that has lived as long as it may. */
  expired(): SocketFailure;
  /** Forgets what the connection remembered. */
  close(): void;
}

/** A request in a frame. */
export interface SocketCall {
  /** Calls of one lane are answered one after the other; those of different lanes side by side. */
  readonly lane: string;
  /** Takes the place of the route's handler, after everything that comes before it. */
  readonly handler?: Handler;
  /**
   * The body of the request, made when its turn has come.
   * @throws GatewayError for a request that cannot be made
   */
  body(): Buffer;
  /**
   * The frame for an event of the answer.
   * @param name the event's own name, where it has one
   * @param headers of the answer, with the first event
   */
  event(name: string | undefined, data: string, headers: SocketHeaders | undefined): string | undefined;
  /** The frame for an answer that is an error, or that broke off. */
  failure(failure: SocketFailure): string;
}

/** Frames to send in answer to one that is no request. */
export interface SocketNotice {
  readonly frames: readonly string[];
}

export type SocketHeaders = Readonly<Record<string, string>>;

/** An error as its HTTP answer would have told it. */
export interface SocketFailure {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: SocketHeaders;
}
