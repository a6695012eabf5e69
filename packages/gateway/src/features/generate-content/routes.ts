import { type Handler, keyRoute, type Route } from "../../contract/exchange.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { countHandler } from "./count-tokens.ts";
import { batchEmbedHandler, embedHandler } from "./embed.ts";
import { generateHandler } from "./generate.ts";
import { generateContentDescription } from "./schema.ts";

/** Where Gemini's API has its models; `/gemini` is LiteLLM's prefix for it. */
const GEMINI = [
  "/v1beta/models",
  "/v1/models",
  "/v1alpha/models",
  "/gemini/v1beta/models",
  "/gemini/v1/models",
];

/** Where Vertex AI has them, for clients with a project and for those with a key alone. */
const VERTEX = ["/v1beta1", "/v1"].flatMap((version) => [
  `${version}/projects/:project/locations/:location/publishers/:publisher/models`,
  `${version}/publishers/:publisher/models`,
]);

/** Google's way to call a model, in front of every provider. */
export function openGenerateContent({ calls }: Pick<Core, "calls">): Feature {
  const at = (paths: readonly string[], verb: string, callType: string, handler: Handler): Route[] =>
    paths.map((path) => keyRoute("POST", `${path}/*:${verb}`, callType, handler, "google"));
  const everywhere = [...GEMINI, ...VERTEX];
  const routes = [
    ...at(everywhere, "generateContent", "agenerate_content", generateHandler(calls, false)),
    ...at(everywhere, "streamGenerateContent", "agenerate_content_stream", generateHandler(calls, true)),
    ...at(everywhere, "countTokens", "acount_tokens", countHandler(calls)),
    ...at(everywhere, "embedContent", "aembedding", embedHandler(calls)),
    ...at(GEMINI, "batchEmbedContents", "aembedding", batchEmbedHandler(calls)),
  ];
  return { routes, descriptions: [generateContentDescription] };
}
