import { keyRoute, type Route } from "../../contract/exchange.ts";
import { callHandler, requireMessages } from "../../core/call/execute-call.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { countTokensHandler } from "./count-tokens.ts";
import { messageDescription } from "./schema.ts";

/** The recommended path is the one under `/anthropic`; the other is kept for compatibility. */
const prefixes = ["/v1/messages", "/anthropic/v1/messages"];

/** Anthropic's Messages (beta) and their token count, under both prefixes. */
export function openMessages({ calls }: Pick<Core, "calls">): Feature {
  const create = callHandler(calls, "messages", requireMessages);
  const count = countTokensHandler(calls);
  const routes = prefixes.flatMap((path): Route[] => [
    keyRoute("POST", path, "anthropic_messages", create, "anthropic"),
    keyRoute("POST", `${path}/count_tokens`, "acount_tokens", count, "anthropic"),
  ]);
  return { routes, descriptions: [messageDescription] };
}
