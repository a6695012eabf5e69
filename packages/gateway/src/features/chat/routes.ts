import { callHandler, openaiRoutes, requireMessages } from "../../core/call/execute-call.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { chatDescription } from "./schema.ts";

/** `POST /v1/chat/completions` and its further paths. */
export function openChat({ calls }: Pick<Core, "calls">): Feature {
  const handler = callHandler(calls, "chat", requireMessages);
  const routes = openaiRoutes("chat/completions", "acompletion", handler);
  return { routes, descriptions: [chatDescription] };
}
