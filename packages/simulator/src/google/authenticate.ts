import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";

/** Refuses a missing key (`x-goog-api-key`, `?key=` or bearer) and one that starts with `invalid`. */
export function authenticate(exchange: Exchange): void {
  const { headers } = exchange.request;
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const key = String(headers["x-goog-api-key"] ?? "") || exchange.query.get("key") || bearer;
  if (key === undefined) {
    throw new ApiFailure(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (!key.startsWith("invalid")) return;
  throw new ApiFailure(400, "API key not valid. Please pass a valid API key.", {
    extra: {
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "API_KEY_INVALID",
          domain: "googleapis.com",
        },
      ],
    },
  });
}
