/**
 * SHA-256 in hex, of a file's bytes as the cache holds it, or of a text in UTF-8. The library behind it takes longer to load than a whole
 * run over unchanged files, so that it is loaded only here.
 */
export function digestOf(data: Uint8Array | string): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", data, "hex");
}
