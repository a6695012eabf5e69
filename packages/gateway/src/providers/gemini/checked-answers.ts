import { parseJsonObject } from "../../contract/json.ts";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { GeminiGrammar } from "../../formats/gemini/gemini-grammar.ts";
import { withReadableUsage } from "../../formats/gemini/usage.ts";
import { decodeSseChunks } from "../../formats/sse-event.ts";
import { brokenGrammar } from "../../formats/stream-outcome.ts";

/**
 * `fetch` whose answers the library reads as the gateway reads those that pass: a stream keeps to its grammar or breaks,
 * and counts that are none are left out, for which the library would refuse an answer that is paid.
 */
export function checkedAnswers(fetch: UpstreamFetch): UpstreamFetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) return response;
    const isStream = String(input instanceof Request ? input.url : input).includes(":streamGenerateContent");
    const body = isStream ? streamOf(checkedChunks(response.body)) : mended(await response.text());
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

async function* checkedChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const grammar = new GeminiGrammar();
  for await (const events of decodeSseChunks(chunks)) {
    let text = "";
    let wrong: string | undefined;
    for (const { data } of events) {
      wrong = grammar.accept(undefined, data);
      if (wrong !== undefined) break;
      // A line feed can only stand between tokens in JSON, where a space means the same.
      text += `data: ${mended(data).replaceAll("\n", " ")}\n\n`;
    }
    if (text !== "") yield Buffer.from(text);
    if (wrong !== undefined) throw brokenGrammar(wrong);
  }
}

/** An answer, or a piece of one, whose counts the library reads. */
function mended(text: string): string {
  const answer = parseJsonObject(text);
  if (answer === undefined) return text;
  const readable = withReadableUsage(answer);
  return readable === answer ? text : JSON.stringify(readable);
}

/** One chunk is asked for when the reader wants it; a reader that leaves cancels the source. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
