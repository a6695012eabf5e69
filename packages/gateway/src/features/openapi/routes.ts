import type { Route } from "../../contract/exchange.ts";
import type { Feature } from "../../core/feature.ts";
import { openapiDescription } from "./description.ts";
import { openapiDocument } from "./document.ts";
import { homeRoute } from "./home.ts";

/**
 * `GET /`, and `GET /openapi.json`: the description of these features, made when it is first asked for.
 * @param features all that are open, this one among them
 */
export function openOpenapi(features: () => readonly Feature[]): Feature {
  let document: Buffer | undefined;
  const description: Route = {
    method: "GET",
    path: "/openapi.json",
    access: "public",
    family: "openai",
    callType: "openapi",
    handler: async () => {
      document ??= Buffer.from(JSON.stringify(openapiDocument(features())));
      return { status: 200, headers: { "content-type": "application/json" }, body: document };
    },
  };
  return { routes: [homeRoute(), description], descriptions: [openapiDescription] };
}
