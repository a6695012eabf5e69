import { GatewayError } from "../../../contract/errors.ts";
import type { Hooks } from "../../../contract/hook.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { mapTexts } from "./map-texts.ts";
import type { GuardRule } from "./read-guard-rules.ts";

/**
 * The built-in guard: what it finds in a request's texts is masked, or makes it refuse the request, before anything
 * leaves for a provider. Pictures and other data in base64 are not looked at.
 */
export function patternGuard(rules: readonly GuardRule[]): Hooks {
  const guardData = (data: JsonObject): JsonObject => mapTexts(data, (text) => guardText(text, rules));
  return { name: "guard", isPure: true, guardData, preCall: ({ data }) => guardData(data) };
}

/** @throws GatewayError 400 naming the rule, never the text that it found */
function guardText(text: string, rules: readonly GuardRule[]): string {
  let masked = text;
  for (const { name, pattern, action, replacement } of rules) {
    pattern.lastIndex = 0;
    if (!pattern.test(masked)) continue;
    if (action === "refuse") throw refusal(name);
    masked = masked.replace(pattern, () => replacement);
  }
  return masked;
}

function refusal(rule: string): GatewayError {
  return new GatewayError(
    400,
    "invalid_request_error",
    `The request was refused by the gateway's rule "${rule}".`,
    {
      providerCode: "content_policy_violation",
      retryable: false,
    },
  );
}
