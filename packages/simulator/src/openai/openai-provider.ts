import type { Provider } from "../http/provider.ts";
import { type Route, RouteTable } from "../http/route.ts";
import { OpenAiAccount } from "./account.ts";
import { errorEnvelope } from "./error-envelope.ts";
import { openAiErrorEvent } from "./error-event.ts";
import { checkBearerKey } from "./keys.ts";
import { openAiHeaders } from "./response-headers.ts";
import { responseSocket } from "./responses/response-socket.ts";
import { accountRoutes, commonRoutes } from "./routes.ts";

/** A host of the OpenAI wire format with bearer keys: everything under `<prefix>/v1`. */
export function bearerProvider(
  prefix: string,
  routes: readonly Route[],
  reset: () => Promise<void>,
): Provider {
  const table = new RouteTable(routes.map((route) => ({ ...route, pattern: `/v1${route.pattern}` })));
  return {
    prefix,
    requestIdPrefix: "req_",
    find: (exchange) => table.find(exchange.method, exchange.path),
    authenticate: checkBearerKey,
    headers: openAiHeaders,
    errorBody: errorEnvelope,
    errorEvent: openAiErrorEvent,
    reset,
  };
}

/** OpenAI itself, at `/openai/v1`. */
export function openAiProvider(): Provider {
  const account = new OpenAiAccount();
  const provider = bearerProvider("/openai", accountRoutes(account, "openai"), () => account.reset());
  return { ...provider, socket: responseSocket(account) };
}

/** A compatible host such as vLLM, Ollama or Groq, at `/compat/v1`: chat, embeddings and models, nothing else. */
export function compatProvider(): Provider {
  return bearerProvider("/compat", commonRoutes("compat"), async () => {});
}
