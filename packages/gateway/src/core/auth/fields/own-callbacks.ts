import { isDeepStrictEqual } from "node:util";
import { check } from "../../../contract/check.ts";
import { invalidRequest, shortened } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { OwnCallback } from "../../../contract/own-callback.ts";
import { closed, list, map, object, text, type ValueOf, word } from "../../../contract/schema.ts";
import { ownTarget, ownVarsOf, traceDestinations } from "../../../platform/config/options/otlp-targets.ts";
import type { SealedText } from "../../../platform/store/sealed-text.ts";
import { checkCallerUrl } from "../../../platform/transport/address-guard.ts";
import { nameHint } from "../../../util/nearest-name.ts";
import { name } from "./restriction-fields.ts";

/** Stands in answers and in the audit log for what is secret. */
const MASK = "********";
/** Names of what tells where spans go, and opens nothing. */
const PLACE =
  /_(?:host|endpoint|site|url|url_override|project|project_name|project_id|parent|space_id|workspace|workspace_id|org_id)$/;
/** LiteLLM's variable that has no effect: content is never sent. */
const WITHOUT_EFFECT = "turn_off_message_logging";
/** Destinations that one team or key may have. */
const MAX_CALLBACKS = 20;

/** What destinations are held to, and what keeps their secrets. */
export interface CallbackRules {
  readonly seal: SealedText;
  /** Whether addresses that callers name may lead into private networks. */
  readonly allowsPrivateNetworks: () => boolean;
}

/** A destination as callers give it. */
export const callbackBody = closed(
  object({
    "callback_name!": {
      ...name("A destination of spans, such as `langfuse`, `arize`, `datadog` or `otel`."),
      examples: ["otel"],
    },
    callback_type: word(
      ["success", "failure", "success_and_failure"],
      "Of which calls spans go there; of both where it is missing.",
    ),
    "callback_vars!": map(
      text(undefined, { minLength: 1, maxLength: 2048 }),
      "Address and credentials, such as `langfuse_host`, `langfuse_public_key` and `langfuse_secret_key`.",
    ),
  }),
);

const metadataOfLogging = object({
  metadata: object({ logging: list(callbackBody, undefined, { maxItems: MAX_CALLBACKS }) }),
});

/** The destinations that stand in stored metadata; what is none counts as nothing. */
export function callbacksIn(logging: unknown): readonly OwnCallback[] {
  if (!Array.isArray(logging)) return [];
  return logging.filter(
    (each) =>
      isJsonObject(each) &&
      typeof each.callback_name === "string" &&
      isJsonObject(each.callback_vars) &&
      Object.values(each.callback_vars).every((value) => typeof value === "string"),
  );
}

/** Destinations as everybody may see them. */
export function maskedCallbacks(logging: unknown): JsonObject[] {
  return callbacksIn(logging).map((each) => ({
    ...each,
    callback_vars: Object.fromEntries(
      Object.entries(each.callback_vars).map(([of, value]) => [of, PLACE.test(of) ? value : MASK]),
    ),
  }));
}

/** Metadata as everybody may see it. */
export function maskedMetadata(metadata: JsonObject): JsonObject {
  return metadata.logging === undefined
    ? metadata
    : { ...metadata, logging: maskedCallbacks(metadata.logging) };
}

/**
 * What a list in `metadata.logging` becomes in the store. What somebody read, masked as it was, and sends back unchanged
 * stays what it is; another address does not get the secrets of the one before.
 * @param before what is stored
 * @throws GatewayError 400 as `sealedCallback` does
 */
export function sealedCallbacks(
  logging: unknown,
  before: readonly OwnCallback[],
  rules: CallbackRules,
): readonly OwnCallback[] {
  const kept = (each: unknown): OwnCallback | undefined =>
    before.find(
      (stored) => isDeepStrictEqual(each, stored) || isDeepStrictEqual(each, maskedCallbacks([stored])[0]),
    );
  if (!Array.isArray(logging) || logging.some((each) => kept(each) === undefined))
    check(metadataOfLogging, { metadata: { logging } });
  return (logging as ValueOf<typeof callbackBody>[]).map(
    (each, index) => kept(each) ?? sealedCallback(each, rules, `metadata.logging[${index}].`),
  );
}

/**
 * A destination as the store keeps it.
 * @param where stands in front of its fields in messages
 * @throws GatewayError 400 for a name or a variable that is none, one that is missing, and an address that must not be
 */
export function sealedCallback(
  given: ValueOf<typeof callbackBody>,
  { seal, allowsPrivateNetworks }: CallbackRules,
  where = "",
): OwnCallback {
  const { callback_name: of, callback_type = "success_and_failure" } = given;
  requireKnown(`${where}callback_name`, of, traceDestinations);
  const vars = Object.entries(given.callback_vars).filter(([each]) => each !== WITHOUT_EFFECT);
  for (const [each, value] of vars) {
    const field = `${where}callback_vars.${each.slice(0, 64)}`;
    requireKnown(field, each, ownVarsOf(of));
    if (value.startsWith("os.environ/"))
      throw invalidRequest(`${field}: the value itself is expected, not the name of a variable`, field);
    if (value === MASK)
      throw invalidRequest(`${field}: whoever changes a callback gives its secrets anew`, field);
  }
  const field = `${where}callback_vars`;
  try {
    const { url } = ownTarget(of, Object.fromEntries(vars));
    if (!allowsPrivateNetworks()) checkCallerUrl(url);
  } catch (error) {
    throw invalidRequest(`${field}: ${(error as Error).message}`, field);
  }
  const sealed = vars.map(([each, value]) => [each, PLACE.test(each) ? value : seal.seal(value)]);
  return { callback_name: of, callback_type, callback_vars: Object.fromEntries(sealed) };
}

/** @throws GatewayError 400 for one too many, and for one that is there already */
export function withCallback(before: readonly OwnCallback[], added: OwnCallback): readonly OwnCallback[] {
  const { callback_name: of, callback_type: type } = added;
  if (before.some((each) => each.callback_name === of && each.callback_type === type))
    throw invalidRequest(`callback_name: the team has ${of} for ${type} already`, "callback_name");
  if (before.length >= MAX_CALLBACKS)
    throw invalidRequest(`callback_name: a team may have ${MAX_CALLBACKS} callbacks`, "callback_name");
  return [...before, added];
}

function requireKnown(field: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  const hint = nameHint(given, known, `one of ${known.join(", ")} is expected`);
  throw invalidRequest(`${field}: ${shortened(given)} is not known here${hint}`, field);
}
