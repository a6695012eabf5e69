import type { OutgoingHttpHeaders } from "node:http";

/** A piece of a body. */
export type Piece = string | Uint8Array;

/** The pieces of a body in order, made while they are sent. */
export type Pieces = Iterable<Piece> | AsyncIterable<Piece>;

/** A whole JSON answer. */
export interface JsonReply {
  readonly kind: "json";
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

/** An answer sent piece by piece: an event stream, or a file's bytes. */
export interface PiecesReply {
  readonly kind: "pieces";
  readonly status?: number;
  readonly contentType: string;
  readonly pieces: Pieces;
  /** Bytes of the body where they are known beforehand. */
  readonly length?: number;
  readonly headers?: OutgoingHttpHeaders;
}

/** The connection changes its protocol. */
interface SwitchedReply {
  readonly kind: "switched";
  open(): void;
}

/** What a handler gives back. */
export type Reply = JsonReply | PiecesReply | SwitchedReply;

/** A JSON answer with status 200. */
export function json(body: unknown): JsonReply {
  return { kind: "json", body };
}

/** A server-sent event stream. */
export function eventStream(pieces: Pieces): PiecesReply {
  return {
    kind: "pieces",
    contentType: "text/event-stream; charset=utf-8",
    pieces,
    headers: { "cache-control": "no-cache" },
  };
}
