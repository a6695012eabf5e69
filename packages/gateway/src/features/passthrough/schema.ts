import type { Route } from "../../contract/exchange.ts";
import { answers, type GroupDescription, json, type Operation } from "../../contract/operation.ts";
import { object } from "../../contract/schema.ts";

const errors = {
  402: {
    when: "The key is under a budget and the operation has no price, or its price is more than is left.",
  },
  403: { when: "The key may not pass this through." },
  415: { when: "The body is compressed." },
};

/** Bodies and answers are the provider's own; JSON and forms are what hooks look into. */
const anything = object();

function operation(method: Route["method"], path: string, id: string, summary: string): Operation {
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH";
  return {
    method,
    path,
    ...(path.endsWith("{path}") ? { routePath: path.replace("{path}", "*") } : {}),
    id,
    summary,
    ...(hasBody ? { request: { ...json(anything), isOptional: true } } : {}),
    answer: answers("What the provider answers.", anything),
    errors,
  };
}

/** Operations of providers that the gateway does not offer itself. */
export const passThroughDescription: GroupDescription = {
  tag: "Pass-through",
  about:
    "Operations that the gateway does not offer itself, sent to the provider as they are: below `/openai/v1`, `/anthropic/v1` and `/gemini/v1beta`. For administrators and keys with `allowed_passthrough_routes`.",
  operations: [
    operation("GET", "/openai/{path}", "passGet", "Read something at a provider"),
    operation("POST", "/openai/{path}", "passPost", "Have a provider do something"),
    operation("DELETE", "/openai/{path}", "passDelete", "Delete something at a provider"),
    operation("GET", "/gemini/{path}", "passGeminiGet", "Read something at Google"),
    operation("POST", "/gemini/{path}", "passGeminiPost", "Have Google do something"),
    operation("PATCH", "/gemini/{path}", "passGeminiPatch", "Change something at Google"),
    operation("DELETE", "/gemini/{path}", "passGeminiDelete", "Delete something at Google"),
  ],
};

/** The endpoints of the configuration, where it has any. */
export function describeEndpoints(routes: readonly Route[]): GroupDescription[] {
  if (routes.length === 0) return [];
  const operations = routes.map(({ method, path }) => {
    const name = path.replace(/\*$/, "{path}");
    const id = `passTo${name.replace(/(?:^|\W+)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`;
    const named = id.replace(/\W/g, "");
    return operation(method, name, `${named}By${method}`, `Pass through to the target of ${name}`);
  });
  const about = "The endpoints of `general_settings.pass_through_endpoints`.";
  return [{ tag: "Pass-through endpoints", about, operations }];
}
