import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import { answerExchange, requireMessages } from "../../core/call/answer-exchange.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { chatDescription } from "./description.ts";

/** Where clients of OpenAI and of its proxies look for chat completions; the last is Azure's. */
const paths = [
  "/v1/chat/completions",
  "/chat/completions",
  "/openai/v1/chat/completions",
  "/openai/deployments/:model/chat/completions",
];

/** `POST /v1/chat/completions` and its further paths. */
export function openChat({ calls }: Pick<Core, "calls">): Feature {
  const handler = (exchange: Exchange): Promise<Reply> =>
    answerExchange(calls, exchange, "chat", requireMessages);
  const routes = paths.map(
    (path): Route => ({
      method: "POST",
      path,
      access: "key",
      family: "openai",
      callType: "acompletion",
      handler,
    }),
  );
  return { routes, descriptions: [chatDescription] };
}
