import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";

/** Refuses a missing bearer key, an empty one, and one that starts with `invalid`. */
export function checkBearerKey(exchange: Exchange): void {
  const header = exchange.request.headers.authorization ?? "";
  const key = /^Bearer\s+(\S+)$/i.exec(header)?.[1] ?? "";
  if (key === "") {
    throw new ApiFailure(
      401,
      "You didn't provide an API key. Provide it in an Authorization header using Bearer auth.",
      {
        code: null,
      },
    );
  }
  if (key.startsWith("invalid")) {
    throw new ApiFailure(
      401,
      "Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.",
    );
  }
}
