/**
 * Provider ids as few bytes: most are a known prefix and hex digits, two of which fit a byte.
 * `resp_` + 48 hex digits take 25 bytes instead of 53, which is what keeps our ids within 64 characters.
 */
const prefixes = [
  "",
  "file-",
  "batch_",
  "resp_",
  "cntr_",
  "cfile_",
  "video_",
  "conv_",
  "msgbatch_",
  "file_",
] as const;
const HEX = 0x80;

/** First byte: index of the prefix, high bit for hex; then the rest of the id. */
export function packProviderId(id: string): Buffer {
  let index = 0;
  for (let i = 1; i < prefixes.length; i++) if (id.startsWith(prefixes[i]!)) index = i;
  const rest = id.slice(prefixes[index]!.length);
  const isHex = rest.length % 2 === 0 && /^[0-9a-f]+$/.test(rest);
  return Buffer.concat([Buffer.of(index | (isHex ? HEX : 0)), Buffer.from(rest, isHex ? "hex" : "utf8")]);
}

/** The inverse; `undefined` for bytes that `packProviderId` never made. */
export function unpackProviderId(packed: Buffer): string | undefined {
  const head = packed[0];
  if (head === undefined) return undefined;
  const prefix = prefixes[head & ~HEX];
  if (prefix === undefined) return undefined;
  return prefix + packed.subarray(1).toString(head & HEX ? "hex" : "utf8");
}
