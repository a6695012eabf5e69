import { invalidRequest } from "../contract/errors.ts";

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w=.+-]+)*?)(;base64)?,/i;

/** A file's content: base64 text or an address, with its media type. */
export interface Media {
  readonly data: string | URL;
  readonly mediaType: string;
}

/**
 * Reads `data:` URLs and http(s) addresses.
 * @param fallbackType media type of an address, or of data that does not name one; `image/*` stands for any
 */
export function readMediaUrl(url: string, fallbackType: string, path: string): Media {
  const head = dataUrl.exec(url);
  if (head !== null) {
    const [whole, mediaType, , base64] = head;
    const body = url.slice(whole.length);
    const data = base64 === undefined ? Buffer.from(decodePercent(body, path)).toString("base64") : body;
    return { data, mediaType: mediaType ?? fallbackType };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw invalidRequest(`${path}: expected an http(s) address or a data: URL`, path);
  }
  return { data: parsed, mediaType: fallbackType };
}

function decodePercent(text: string, path: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidRequest(`${path}: the data: URL is not valid`, path);
  }
}
