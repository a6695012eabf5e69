import { type PageState, readState } from "./page-state.ts";

/** The state as the part of an address behind `#`, deflated: it never reaches a server. */
export async function stateToHash(state: PageState): Promise<string> {
  const json = new Blob([JSON.stringify(state)]).stream();
  const bytes = await new Response(json.pipeThrough(new CompressionStream("deflate-raw"))).bytes();
  return bytesToBase64Url(bytes);
}

/** The state out of a link; `undefined` when it holds none. */
export async function hashToState(hash: string): Promise<PageState | undefined> {
  const text = hash.replace(/^#/, "");
  if (text === "") return undefined;
  try {
    const stream = new Blob([base64UrlToBytes(text)])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"));
    return readState(JSON.parse(await new Response(stream).text()));
  } catch {
    return undefined;
  }
}

function bytesToBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function base64UrlToBytes(text: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(decoded, (char) => char.charCodeAt(0));
}
