import { invalidRequest } from "../../../contract/errors.ts";
import { amount, list, map, object, text, whole } from "../../../contract/schema.ts";
import { DURATION } from "../../../util/duration.ts";
import { isNetwork } from "../../../util/network.ts";

/** Fields that keys and what stands above them have in common, in LiteLLM's words. */

/** A count that every database holds exactly. */
export const count = (about: string) => whole(about, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const dollars = (about: string) => amount(about, { minimum: 0, maximum: 1e15 });

/** How much of a budget's window may be spent in the next one. */
export const rollover = dollars(
  "US dollars of a window's budget that may be spent in the next window where they were left, at most; none where absent.",
);

/** No control characters: neither log nor database takes them. */
const VISIBLE = "^[^\\u0000-\\u001f\\u007f]+$";

export const name = (about?: string) => text(about, { minLength: 1, maxLength: 256, pattern: VISIBLE });

export const length = (about: string) =>
  text(`${about}: a length of time such as 30s, 12h, 30d or 1mo`, { pattern: DURATION });

const texts = (about: string) => list(name(), about, { maxItems: 1000 });

/** What restricts calls; each level that names one must allow the call. */
export const restrictionFields = {
  models: texts("Models that may be called, wildcards allowed; none means all."),
  allowed_model_region: name("The one region its calls may run in."),
  blocked: { type: "boolean", description: "Refused while true." } as const,
  allowed_routes: texts(
    "Paths that may be asked (`/v1/chat/completions`, `/v1/*`) or groups of them: `llm_api_routes`, `management_routes`, `info_routes`, `openai_routes`, `anthropic_routes`.",
  ),
  enforced_params: texts("Fields that a call must have, such as `user` or `metadata.generation_name`."),
  allowed_ips: list(
    { ...name(), examples: ["10.0.0.0/8"] },
    "Addresses and networks that requests may come from, such as 10.0.0.0/8.",
    { maxItems: 1000 },
  ),
};

/** What keys and teams may be allowed beyond their calls. */
export const passThroughRoutes = list(
  { ...name(), pattern: "^/[^\\s\\\\?#]*$", examples: ["/openai/v1/fine_tuning"] },
  "Paths below which it may pass requests through to a provider, wildcards allowed (`/openai/v1/fine_tuning`); none means nothing. Proxy administrators alone give it.",
  { maxItems: 1000 },
);

/** Names for models; a call of the one becomes a call of the other. */
export const modelAliases = (about: string) => map(name(), about);

export const metadata = (about: string) => object({}, about);

/** @throws GatewayError 400 for an entry of `allowed_ips` that is neither an address nor a network */
export function requireAddresses(addresses: readonly string[] | null | undefined): void {
  const wrong = (addresses ?? []).findIndex((entry) => !isNetwork(entry));
  if (wrong === -1) return;
  const field = `allowed_ips.${wrong}`;
  throw invalidRequest(`${field}: expected an address or a network such as 10.0.0.0/8`, field);
}

/** Milliseconds since the epoch that dates can have (ECMAScript, time values). */
const MAX_TIME = 8.64e15;

/** @throws GatewayError 400 for a moment that no date reaches */
export function requireTime(time: number, param: string): number {
  if (Math.abs(time) <= MAX_TIME) return time;
  throw invalidRequest(`${param}: this is beyond the last date`, param);
}
