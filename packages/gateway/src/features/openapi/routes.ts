import type { Route } from "../../contract/exchange.ts";
import { openapiDocument } from "./document.ts";
import { groups } from "./groups.ts";
import { homeRoute } from "./home.ts";

/** `GET /` and `GET /openapi.json`: the description of these routes and of itself, made when it is first asked for. */
export function openapiRoutes(described: readonly Route[]): Route[] {
  let document: Buffer | undefined;
  const description: Route = {
    method: "GET",
    path: "/openapi.json",
    access: "public",
    family: "openai",
    callType: "openapi",
    handler: async () => {
      document ??= Buffer.from(JSON.stringify(openapiDocument([...described, ...own], groups)));
      return { status: 200, headers: { "content-type": "application/json" }, body: document };
    },
  };
  const own = [homeRoute(), description];
  return own;
}
