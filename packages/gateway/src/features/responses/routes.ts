import { keyRoute, type Route } from "../../contract/exchange.ts";
import type { SocketProtocol } from "../../contract/socket.ts";
import type { ResponseCompactor } from "./compact.ts";
import type { InputTokenCounter } from "./input-token-counter.ts";
import type { ResponseService } from "./response-service.ts";

const bases = ["/v1/responses", "/responses", "/openai/v1/responses"];

/** Responses (spec: Responses; OpenAI API reference: Responses) under its three prefixes. */
export function responseRoutes(
  service: ResponseService,
  counter: InputTokenCounter,
  compactor: ResponseCompactor,
  socket: SocketProtocol,
): Route[] {
  return bases.flatMap((base) => {
    const one = `${base}/:responseId`;
    return [
      { ...keyRoute("POST", base, "aresponses", (exchange) => service.creator.create(exchange)), socket },
      keyRoute("POST", `${base}/input_tokens`, "aresponses_input_tokens", (exchange) =>
        counter.count(exchange),
      ),
      keyRoute("POST", `${base}/compact`, "acompact_responses", (exchange) => compactor.compact(exchange)),
      keyRoute("GET", one, "aget_responses", (exchange) => service.retrieve(exchange)),
      keyRoute("DELETE", one, "adelete_responses", (exchange) => service.delete(exchange)),
      keyRoute("GET", `${one}/input_items`, "alist_input_items", (exchange) => service.inputItems(exchange)),
      keyRoute("POST", `${one}/cancel`, "acancel_responses", (exchange) => service.cancel(exchange)),
    ];
  });
}
