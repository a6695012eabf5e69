import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import { callOfExchange, requireMessages } from "../../core/call/call-of-exchange.ts";
import { executeCall } from "../../core/call/execute-call.ts";
import type { CallDeps } from "../../core/call/model-call.ts";

/** Where clients of OpenAI and of its proxies look for chat completions; the last is Azure's. */
const paths = [
  "/v1/chat/completions",
  "/chat/completions",
  "/openai/v1/chat/completions",
  "/openai/deployments/:model/chat/completions",
];

/** `POST /v1/chat/completions` and its further paths. */
export function chatRoutes(deps: CallDeps): Route[] {
  const handler = async (exchange: Exchange): Promise<Reply> => {
    const raw = await exchange.readBody();
    return await executeCall(
      deps,
      callOfExchange(exchange, raw, "chat", requireMessages, exchange.params.model),
    );
  };
  return paths.map((path) => ({
    method: "POST",
    path,
    access: "key",
    family: "openai",
    callType: "acompletion",
    handler,
  }));
}
