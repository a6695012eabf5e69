import { noStore } from "../../contract/errors.ts";
import type { Exchange, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { EntryWriter } from "./entry-writer.ts";

/** Answers one request of an administrator about what is configured at run time. */
export type RuntimeHandler = (exchange: Exchange, writer: EntryWriter) => Promise<JsonObject>;

/** Makes the routes of administrators; without a store every one answers that there is none. */
export function runtimeRoutes(writer: EntryWriter | undefined, callType: string) {
  return (method: Route["method"], path: string, run: RuntimeHandler): Route => ({
    method,
    path,
    access: "admin",
    family: "openai",
    callType,
    handler: async (exchange) => {
      if (writer === undefined) throw noStore();
      return { status: 200, body: await run(exchange, writer) };
    },
  });
}
