/** The name by which Python looks for a codec (`encodings.normalize_encoding`). */
export function normalCodecName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "_")
    .replace(/^_|_$/g, "");
}
