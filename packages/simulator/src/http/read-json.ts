import { isObject } from "../util/json.ts";
import { ApiFailure } from "./api-failure.ts";
import { readText } from "./body.ts";
import type { Exchange } from "./exchange.ts";

/** Reads and parses a request's JSON body into the exchange; none counts as an empty object. */
export async function readJson(exchange: Exchange): Promise<void> {
  exchange.text = await readText(exchange.request);
  exchange.received.bytes = Buffer.byteLength(exchange.text);
  if (exchange.text === "") return;
  let parsed: unknown;
  try {
    parsed = JSON.parse(exchange.text);
  } catch {
    throw new ApiFailure(400, "We could not parse the JSON body of your request: it is not valid JSON.");
  }
  if (!isObject(parsed)) throw new ApiFailure(400, "The body of your request must be a JSON object.");
  exchange.body = parsed;
  exchange.received.body = parsed;
  exchange.state.journal.keepBody(exchange.received);
}
