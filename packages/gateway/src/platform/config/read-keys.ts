import { isJsonObject } from "../../contract/json.ts";
import type { KeyLimits } from "../../contract/principal.ts";
import { parseDuration } from "../../util/duration.ts";
import { sha256 } from "../../util/sha256.ts";
import type { ConfigDocument } from "./config-document.ts";
import type { ConfiguredKey } from "./gateway-config.ts";
import type { Settings } from "./option.ts";
import { keyOptions } from "./options/key-options.ts";
import { readOptions } from "./read-options.ts";

/** The keys given in the file, hashed. */
export function readKeys(document: ConfigDocument, list: unknown): ConfiguredKey[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    document.error(["keys"], "expected a list of keys");
    return [];
  }
  return list
    .map((entry, index) => readKey(document, entry, index))
    .filter((key): key is ConfiguredKey => key !== undefined);
}

function readKey(document: ConfigDocument, entry: unknown, index: number): ConfiguredKey | undefined {
  const path = ["keys", index];
  if (!isJsonObject(entry)) {
    document.error(path, "expected a map with key");
    return undefined;
  }
  const settings = readOptions(document, entry, path, keyOptions);
  if (settings.key.length < 8) {
    document.error([...path, "key"], "expected a key of at least 8 characters");
    return undefined;
  }
  const { budgetDuration, expires } = settings;
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
      metadata: settings.metadata,
      teamMetadata: settings.teamMetadata,
      allowedModelRegion: settings.allowedModelRegion,
      models: settings.models,
      limits: limitsOf(settings),
      isMaster: false,
    },
    expiresAt,
    blocked: settings.blocked,
  };
}

function limitsOf(settings: Settings<typeof keyOptions>): KeyLimits {
  const { rpmLimit, tpmLimit, maxParallelRequests, maxBudget, budgetDuration } = settings;
  return {
    ...(rpmLimit === undefined ? {} : { rpm: rpmLimit }),
    ...(tpmLimit === undefined ? {} : { tpm: tpmLimit }),
    ...(maxParallelRequests === undefined ? {} : { maxParallelRequests }),
    ...(maxBudget === undefined ? {} : { maxBudget }),
    ...(budgetDuration === undefined ? {} : { budgetDuration }),
  };
}
