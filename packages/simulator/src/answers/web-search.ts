import type { JsonObject } from "../util/json.ts";

/** A search in the web that the provider ran by itself, and the pages on which the answer's text rests. */
export interface WebSearch {
  readonly query: string;
  readonly pages: readonly { readonly url: string; readonly title: string }[];
}

/** What a search for a query finds: the same two pages each time. */
export function searchFor(query: string): WebSearch {
  const path = encodeURIComponent(query.toLowerCase());
  return {
    query,
    pages: [
      { url: `https://example.com/${path}`, title: `About ${query}` },
      { url: `https://example.org/${path}`, title: `More about ${query}` },
    ],
  };
}

/** OpenAI's citations of what was found, over the whole of a text (Responses; chat wraps each once more). */
export function urlCitations(search: WebSearch | undefined, text: string): JsonObject[] {
  return (search?.pages ?? []).map(({ url, title }) => ({
    type: "url_citation",
    start_index: 0,
    end_index: text.length,
    url,
    title,
  }));
}
