import type { Exchange, Reply } from "../../contract/exchange.ts";
import { answerExchange, openaiRoutes, requireMessages } from "../../core/call/execute-call.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { chatDescription } from "./schema.ts";

/** `POST /v1/chat/completions` and its further paths. */
export function openChat({ calls }: Pick<Core, "calls">): Feature {
  const handler = (exchange: Exchange): Promise<Reply> =>
    answerExchange(calls, exchange, "chat", requireMessages);
  const routes = openaiRoutes("chat/completions", "acompletion", handler);
  return { routes, descriptions: [chatDescription] };
}
