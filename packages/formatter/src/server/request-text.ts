import { type Codec, CodecError } from "../files/encodings/codec.ts";
import { lookupCodec } from "../files/encodings/lookup.ts";

/** The request's encoding, as its content type names it. */
export interface RequestEncoding {
  readonly charset: string;
  readonly mediaType: string;
  readonly codec: Codec;
}

/** The body's encoding is unknown, or the body is not valid in it: blackd answers 500. */
export class BodyError extends Error {
  override name = "BodyError";
}

/** @throws {BodyError} for an encoding that no source is written in */
export function encodingOf(contentType = "application/octet-stream"): RequestEncoding {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const codec = lookupCodec(charset);
  if (codec === undefined) throw new BodyError(`unknown encoding: ${charset}`);
  return { charset, codec, mediaType: contentType.split(";")[0]!.trim() };
}

/** @throws {BodyError} for a body that is not valid in its encoding */
export function decodeBody(body: Uint8Array, { codec }: RequestEncoding): string {
  try {
    return codec.decode(body);
  } catch (error) {
    throw error instanceof CodecError ? new BodyError(error.message) : error;
  }
}
