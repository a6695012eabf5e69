import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import { invalidRequest } from "./failures.ts";

/** Refuses a missing key (`x-api-key` or bearer), one that starts with `invalid`, and a missing version header. */
export function authenticate(exchange: Exchange): void {
  const { headers } = exchange.request;
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const key = String(headers["x-api-key"] ?? "") || bearer;
  if (key === undefined || key === "") throw new ApiFailure(401, "x-api-key header is required");
  if (key.startsWith("invalid")) throw new ApiFailure(401, "invalid x-api-key");
  if (headers["anthropic-version"] === undefined)
    throw invalidRequest("anthropic-version: header is required");
}
