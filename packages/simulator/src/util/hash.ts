/**
 * A fast 32-bit hash (FNV-1a over UTF-16 units). Not for secrets; it only makes ids follow from a request.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  // A long body differs early or in length; reading all of 30 MB would make the stand-in the bottleneck.
  const end = Math.min(text.length, 4096);
  for (let index = 0; index < end; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (Math.imul(hash ^ text.length, 0x01000193) ^ (hash >>> 15)) >>> 0;
}
