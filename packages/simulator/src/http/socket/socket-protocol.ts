import type { Exchange } from "../exchange.ts";
import type { Reply } from "../reply.ts";

/** What a provider serves over WebSockets: each frame that it gets is a request, each event of the answer a frame. */
export interface SocketProtocol {
  /** Path below the provider's prefix. */
  readonly path: string;
  open(): SocketSession;
}

/** One connection. */
export interface SocketSession {
  /** Reads a frame. Nothing comes of one that only tells something. */
  read(frame: string): SocketFrame | undefined;
  /** The last frame of a connection that has lasted as long as it may. */
  expired(): string;
}

/** A frame that wants an answer. */
export interface SocketFrame {
  /** Frames of one lane are answered one after the other. */
  readonly lane: string;
  /** Answers it as it would be answered over HTTP; throws `ApiFailure` to refuse it. */
  handle(exchange: Exchange): Reply;
  /** An event of the answer as a frame. */
  event(data: string): string;
  /** An answer that is no stream as a frame. */
  whole(status: number, body: string, headers: Readonly<Record<string, string>>): string;
}
