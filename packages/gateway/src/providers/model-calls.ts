import { GatewayError } from "../contract/errors.ts";
import { type JsonObject, parseJsonObject } from "../contract/json.ts";
import type { Provider, UpstreamAddress, UpstreamFetch } from "../contract/provider.ts";
import { chunksOf } from "../platform/transport/upstream-fetch.ts";

/** A request of a language model to its provider. */
export interface ModelRequest {
  readonly address: UpstreamAddress;
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal: AbortSignal | undefined;
}

const MAX_ERROR_CHARACTERS = 65_536;

/**
 * Sends a model's request.
 * @throws GatewayError what `toError` makes of an error answer
 */
export async function postJson(
  fetch: UpstreamFetch,
  request: ModelRequest,
  toError: Provider["toError"],
): Promise<Response> {
  const { address, body, signal } = request;
  const extra = Object.entries(request.headers ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const response = await fetch(address.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...address.headers, ...Object.fromEntries(extra) },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  return successOf(response, toError);
}

/**
 * The response where it says success.
 * @throws GatewayError what `toError` makes of any other
 */
export async function successOf(response: Response, toError: Provider["toError"]): Promise<Response> {
  if (response.ok) return response;
  const text = (await response.text()).slice(0, MAX_ERROR_CHARACTERS);
  throw toError(response.status, Object.fromEntries(response.headers), text);
}

/** The answer's body as an object; a 502 for anything else. */
export async function jsonAnswer(response: Response): Promise<JsonObject> {
  const answer = parseJsonObject(await response.text());
  if (answer === undefined)
    throw new GatewayError(502, "api_error", "The provider's answer is not valid JSON");
  return answer;
}

/** The answer's body as bytes to read; a 502 when there is none. */
export function streamAnswer(response: Response): AsyncIterable<Uint8Array> {
  const chunks = chunksOf(response);
  if (chunks === null) throw new GatewayError(502, "api_error", "The provider's stream is empty");
  return chunks;
}
