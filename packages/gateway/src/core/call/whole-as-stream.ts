import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { readNativeAnswer } from "../../formats/native-usage.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import { replayOf } from "../../formats/replay.ts";

/** Members in which an answer says something. */
const CONTENTS = { chat: "choices", messages: "content", responses: "output", gemini: "candidates" } as const;

/** Ends of the addresses at which providers' libraries ask for streams. */
const ADDRESSES: readonly (readonly [DialectFormat, RegExp])[] = [
  ["chat", /\/chat\/completions$/],
  ["messages", /\/messages$/],
  ["responses", /\/responses$/],
];

/**
 * The stream that tells a whole answer.
 * @param request as the host got it
 */
export async function* streamOf(
  whole: Promise<Buffer>,
  format: DialectFormat,
  request: JsonObject,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(eventsOf(await whole, format, request));
}

/** The same for a provider's library, which reads the stream itself; the answer as it is where none was asked for. */
export async function streamed(
  response: Response,
  [input, init]: Parameters<UpstreamFetch>,
): Promise<Response> {
  const request = typeof init?.body === "string" ? parseJsonObject(init.body) : undefined;
  const { pathname } = new URL(typeof input === "string" ? input : "url" in input ? input.url : input.href);
  const format = ADDRESSES.find(([, end]) => end.test(pathname))?.[0];
  if (!response.ok || format === undefined || request?.stream !== true) return response;
  const text = eventsOf(Buffer.from(await response.arrayBuffer()), format, request);
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/**
 * The wire text of a stream that tells a whole answer; one that is an error has it in one event.
 * @throws GatewayError 502 for what is no answer: a stream without an end must not come of it
 */
function eventsOf(whole: Buffer, format: DialectFormat, request: JsonObject): string {
  const { body: answer } = readNativeAnswer(whole);
  if (isJsonObject(answer.error)) return `data: ${JSON.stringify(answer)}\n\n`;
  if (!Array.isArray(answer[CONTENTS[format]]))
    throw new GatewayError(502, "api_error", "The provider's answer has no content.");
  return replayOf(format).eventsOf(answer, request);
}
