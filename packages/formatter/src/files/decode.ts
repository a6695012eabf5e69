import { type Newline, newlineOfFirstLine, withLf, withNewline } from "../util/newline.ts";
import type { Codec } from "./encodings/codec.ts";
import { detectEncoding } from "./encodings/detect.ts";

/** A source as text, with what is needed to write it back in the same form. */
export interface DecodedSource {
  /** Line ends are LF whatever the file has. */
  readonly contents: string;
  readonly codec: Codec;
  /** Taken from the first line. */
  readonly newline: Newline;
}

/**
 * Reads a source's bytes (Black: `decode_bytes`).
 *
 * @throws {CodecError} when the bytes do not fit the encoding, or its declaration is unusable.
 */
export function decodeSource(bytes: Uint8Array): DecodedSource {
  const codec = detectEncoding(bytes);
  const contents = codec.decode(bytes);
  return { contents: withLf(contents), codec, newline: newlineOfFirstLine(contents) };
}

/** Text back to bytes in the encoding and with the line ends that `decodeSource` found. */
export function encodeSource(contents: string, source: Pick<DecodedSource, "codec" | "newline">): Uint8Array {
  return source.codec.encode(withNewline(contents, source.newline));
}
