import type { Fault } from "../faults/fault.ts";
import type { Piece, Pieces } from "./reply.ts";

const OVERSIZED_BYTES = 64 * 1024 * 1024;
const block = "x".repeat(64 * 1024);

/**
 * A body spoiled by a fault.
 * @param stream whether the body is an event stream, which decides what garbage looks like
 * @param errorEvent the provider's own error event, made only when it is sent
 */
export async function* brokenPieces(
  fault: Fault,
  pieces: Pieces,
  stream: boolean,
  errorEvent: () => Piece,
): AsyncGenerator<Piece> {
  switch (fault.kind) {
    case "empty":
      return;
    case "oversized":
      yield* oversized(fault.bytes ?? OVERSIZED_BYTES, stream);
      return;
    case "garbage":
      if (!stream) {
        yield "<html><body>upstream connect error \u0000\ufffd</body>";
        return;
      }
      yield* firstHalf(pieces);
      yield 'data: {"broken": \u0000 not json\n\n';
      return;
    case "error-event":
      yield* firstHalf(pieces);
      yield errorEvent();
      return;
    case "stall":
      yield* firstHalf(pieces);
      return;
    default:
      yield* pieces;
  }
}

async function* firstHalf(pieces: Pieces): AsyncGenerator<Piece> {
  const all: Piece[] = [];
  for await (const piece of pieces) all.push(piece);
  if (all.length === 1 && all[0] !== undefined) yield all[0].slice(0, all[0].length / 2);
  else yield* all.slice(0, Math.ceil(all.length / 2));
}

function* oversized(bytes: number, stream: boolean): Generator<string> {
  yield stream ? 'data: {"padding":"' : '{"padding":"';
  for (let sent = 0; sent < bytes; sent += block.length) {
    yield block.length <= bytes - sent ? block : block.slice(0, bytes - sent);
  }
  yield stream ? '"}\n\n' : '"}';
}
