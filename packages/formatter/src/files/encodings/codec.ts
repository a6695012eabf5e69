/** One of Python's codecs, as far as source files need it. Errors carry Python's wording. */
export interface Codec {
  /** Python's name, as its error messages print it. */
  readonly name: string;
  /** @throws {CodecError} when the bytes are not valid in this encoding. */
  decode(bytes: Uint8Array): string;
  /** @throws {CodecError} when a character has no representation in this encoding. */
  encode(text: string): Uint8Array;
}

/** Bytes or text that an encoding cannot hold (Python: UnicodeDecodeError, UnicodeEncodeError), or an unusable encoding declaration. */
export class CodecError extends Error {
  override name = "CodecError";
}
