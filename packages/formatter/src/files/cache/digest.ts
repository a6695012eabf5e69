/**
 * SHA-256 of a file's bytes in hex, as the cache holds it. The library behind it takes longer to load than a whole
 * run over unchanged files, so that it is loaded only here.
 */
export function digestOf(bytes: Uint8Array): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex");
}
