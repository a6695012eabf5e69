import type { Handler, Route } from "../../contract/exchange.ts";

/** A route for every key whose answers and errors follow OpenAI's conventions. */
export function openaiRoute(
  method: Route["method"],
  path: string,
  callType: string,
  handler: Handler,
): Route {
  return { method, path, access: "key", family: "openai", callType, handler };
}
