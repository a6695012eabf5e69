import type { GatewayError } from "../../contract/errors.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Fallbacks } from "../../platform/config/options/router-options.ts";

/** What kind of failure decides which fallbacks apply. */
export type FailureKind = "context window" | "content policy" | "general" | "caller";

/** Words by which providers say that a request is too long. */
const tooLong =
  /context.{0,12}(length|window)|maximum context|too many (input )?tokens|prompt is too long|input is too long|exceeds? the (maximum|max) .{0,24}tokens/i;
const refusedContent = /content.?(policy|management|filter)|safety system|responsible.?ai/i;

/** Which fallbacks an error calls for; `caller` means none, because the request would fail anywhere. */
export function failureKind(error: GatewayError): FailureKind {
  const code = error.providerCode ?? "";
  if (error.status === 400 || error.status === 413 || error.status === 422) {
    if (code === "context_length_exceeded" || tooLong.test(error.message)) return "context window";
    if (/content_(filter|policy)/.test(code) || refusedContent.test(error.message)) return "content policy";
  }
  if (error.retryable || [401, 403, 404].includes(error.status)) return "general";
  return "caller";
}

/**
 * The models to try when all attempts at one have failed, at most `max_fallbacks`, without the model itself.
 * Failures of a special kind fall back to the general list where their own says nothing.
 * @param names the model as the caller and as the model list name it
 */
export function fallbackModels(
  names: readonly string[],
  kind: FailureKind,
  config: GatewayConfig,
): readonly string[] {
  const settings = config.routerSettings;
  if (kind === "caller") return [];
  const special =
    kind === "context window"
      ? settings.contextWindowFallbacks
      : kind === "content policy"
        ? settings.contentPolicyFallbacks
        : {};
  const models = listed(special, names) ?? listed(settings.fallbacks, names) ?? settings.defaultFallbacks;
  return [...new Set(models)].filter((model) => !names.includes(model)).slice(0, settings.maxFallbacks);
}

function listed(fallbacks: Fallbacks, names: readonly string[]): readonly string[] | undefined {
  const name = [...names, "*"].find((candidate) => Object.hasOwn(fallbacks, candidate));
  return name === undefined ? undefined : fallbacks[name];
}
