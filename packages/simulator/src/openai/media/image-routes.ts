import type { Exchange } from "../../http/exchange.ts";
import { eventStream, json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { namedEvent } from "../../http/sse.ts";
import { seconds } from "../../util/clock.ts";
import { invalidValue, missingParameter } from "../failures.ts";

/** One transparent pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const MAX_IMAGES = 10;

/** Generate, edit and vary images: the same pixel each time. */
export function imageRoutes(): Route[] {
  const route = (name: string, needs: readonly string[], event: string): Route => ({
    method: "POST",
    pattern: `/images/${name}`,
    handle: (exchange) => images(exchange, needs, event),
    body: "any",
  });
  return [
    route("generations", ["prompt"], "image_generation"),
    route("edits", ["image", "prompt"], "image_edit"),
    route("variations", ["image"], "image_variation"),
  ];
}

function images({ state, body }: Exchange, needs: readonly string[], event: string): Reply {
  const missing = needs.find((name) => body[name] === undefined);
  if (missing !== undefined) throw missingParameter(missing);
  const count = Number(body.n ?? 1);
  if (!Number.isInteger(count) || count < 1 || count > MAX_IMAGES)
    throw invalidValue("n", `Invalid 'n': expected an integer from 1 to ${MAX_IMAGES}.`);
  const created = seconds(state.clock);
  const usage = {
    total_tokens: 100 * count,
    input_tokens: 0,
    output_tokens: 100 * count,
    input_tokens_details: { text_tokens: 0, image_tokens: 0 },
  };
  if (body.stream === true || body.stream === "true") {
    const shared = { created_at: created, background: "opaque", output_format: "png", quality: "low" };
    const done = { type: `${event}.completed`, b64_json: PNG, size: "1024x1024", ...shared, usage };
    return eventStream([namedEvent(done)]);
  }
  const image = body.response_format === "url" ? { url: `data:image/png;base64,${PNG}` } : { b64_json: PNG };
  return json({ created, data: Array.from({ length: count }, () => image), usage });
}
