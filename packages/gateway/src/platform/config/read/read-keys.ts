import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { type KeyLimits, keyName, keyProblem } from "../../../contract/principal.ts";
import { parseDuration } from "../../../util/duration.ts";
import { sha256 } from "../../../util/sha256.ts";
import { ConfiguredKeys } from "../configured-keys.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { ConfiguredKey } from "../gateway-config.ts";
import { keyOptions } from "../options/key-options.ts";
import type { Settings } from "../options/option.ts";
import { readOptions, refuseUnknown } from "./read-options.ts";

/** Characters that a key must have at least; a shorter master key is only warned of. */
export const MIN_KEY = 8;

/** Of an entry of `keys[]`. */
export const SAME_AS_MASTER =
  "is the master key, which may do everything whatever the entry says; choose another key for it";

/**
 * The keys given in the file, hashed.
 * @param masterKey where the file or the environment names one: it may do everything, so that no entry may be the same
 */
export function readKeys(
  document: ConfigDocument,
  list: unknown,
  masterKey: string | undefined,
): ConfiguredKeys {
  if (list === undefined || list === null) return ConfiguredKeys.of([]);
  if (!Array.isArray(list)) {
    document.error(["keys"], "expected a list of keys");
    return ConfiguredKeys.of([]);
  }
  const keys = list.map((entry, index) => readKey(document, entry, index));
  const masterHash = masterKey === undefined ? undefined : sha256(masterKey);
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    if (key === undefined) continue;
    const { keyHash } = key.principal;
    if (keyHash === masterHash) document.error(["keys", index, "key"], SAME_AS_MASTER);
    const twin = first.get(keyHash);
    if (twin !== undefined) document.error(["keys", index, "key"], `is the same key as keys[${twin}]`);
    first.set(keyHash, index);
  }
  return ConfiguredKeys.of(keys.filter((key) => key !== undefined));
}

function readKey(document: ConfigDocument, entry: unknown, index: number): ConfiguredKey | undefined {
  const path = ["keys", index];
  if (!isJsonObject(entry)) {
    document.error(path, "expected a map with key");
    return undefined;
  }
  const settings = readOptions(document, entry, path, keyOptions, Object.keys(entry));
  refuseUnknown(document, entry, path, Object.keys(keyOptions));
  const problem =
    keyProblem(settings.key) ??
    (settings.key.length < MIN_KEY ? `expected a key of at least ${MIN_KEY} characters` : undefined);
  if (problem !== undefined) {
    document.error([...path, "key"], problem);
    return undefined;
  }
  const { budgetDuration, expires, allowedPassthroughRoutes: routes } = settings;
  if (budgetDuration !== undefined && parseDuration(budgetDuration) === undefined)
    document.error([...path, "budget_duration"], "expected a length of time such as 30s, 12h, 30d or 1mo");
  const expiresAt = expires === undefined ? undefined : Date.parse(expires);
  if (Number.isNaN(expiresAt))
    document.error([...path, "expires"], "expected a date and time such as 2027-01-31T00:00:00Z");
  return {
    principal: {
      keyHash: sha256(settings.key),
      keyAlias: settings.keyAlias,
      userId: settings.userId,
      role: settings.userRole,
      teamId: settings.teamId,
      metadata: withoutLogging(document, [...path, "metadata"], settings.metadata),
      teamMetadata: withoutLogging(document, [...path, "team_metadata"], settings.teamMetadata),
      allowedModelRegion: settings.allowedModelRegion,
      models: settings.models,
      limits: limitsOf(settings),
      isMaster: false,
      ...(routes.length === 0 ? {} : { passThrough: { routes, isOwn: true } }),
    },
    keyName: keyName(settings.key),
    expiresAt,
    blocked: settings.blocked,
  };
}

/** Destinations of spans are sealed in the store; those of a key of the file are kept nowhere, because they have secrets. */
function withoutLogging(document: ConfigDocument, path: ConfigPath, metadata: JsonObject): JsonObject {
  const { logging, ...others } = metadata;
  if (logging === undefined) return metadata;
  const instead = "name destinations with /team/{team_id}/callback, or make the key with /key/generate";
  document.warn([...path, "logging"], `has no effect for a key of the file; ${instead}`);
  return others;
}

function limitsOf(settings: Settings<typeof keyOptions>): KeyLimits {
  const { rpmLimit, tpmLimit, maxParallelRequests, maxBudget, budgetDuration, maxRollover } = settings;
  return {
    ...(rpmLimit === undefined ? {} : { rpm: rpmLimit }),
    ...(tpmLimit === undefined ? {} : { tpm: tpmLimit }),
    ...(maxParallelRequests === undefined ? {} : { maxParallelRequests }),
    ...(maxBudget === undefined ? {} : { maxBudget }),
    ...(budgetDuration === undefined ? {} : { budgetDuration }),
    ...(maxRollover === undefined ? {} : { maxRollover }),
  };
}
