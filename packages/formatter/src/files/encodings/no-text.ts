import { normalCodecName } from "./codec-name.ts";

/** Python's codecs from bytes to bytes and from text to text, with their aliases (`encodings/aliases.py`). */
const transforms = new Set([
  ...["base64_codec", "base64", "base_64", "bz2_codec", "bz2", "hex_codec", "hex"],
  ...["quopri_codec", "quopri", "quoted_printable", "quotedprintable", "rot_13", "rot13"],
  ...["uu_codec", "uu", "zlib_codec", "zlib", "zip"],
]);

/** What Python says of a codec that it has, but by which no source can be read; `undefined` for any other name. */
export function noTextReason(name: string): string | undefined {
  const normal = normalCodecName(name);
  if (normal === "undefined") return "undefined encoding";
  return transforms.has(normal)
    ? `'${name}' is not a text encoding; use codecs.open() to handle arbitrary codecs`
    : undefined;
}
