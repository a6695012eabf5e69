import type { ConfigSource, ConfiguredKey } from "../../../platform/config/gateway-config.ts";
import { sha256 } from "../../../util/sha256.ts";
import { masterPrincipal } from "../master-principal.ts";
import type { KeyRow } from "../records/keys-table.ts";
import { blankKey } from "./key-issuer.ts";

/** Who made the keys that nobody made here. */
const CONFIGURATION = "configuration";

/** The keys that stand in the configuration, and the master key wherever it is from: shown, but not changed here. */
export class FileKeys {
  readonly #config: ConfigSource;
  readonly #generatedMasterKey: string | undefined;

  /** @param generatedMasterKey in force while the configuration names none */
  constructor(config: ConfigSource, generatedMasterKey: string | undefined) {
    this.#config = config;
    this.#generatedMasterKey = generatedMasterKey;
  }

  /** Hash of the master key that is in force. */
  get masterHash(): string | undefined {
    const masterKey = this.#config.current.generalSettings.masterKey ?? this.#generatedMasterKey;
    return masterKey === undefined ? undefined : sha256(masterKey);
  }

  /** The key as one of the store would be, made at the beginning of time; never its text. */
  find(keyHash: string): KeyRow | undefined {
    if (keyHash === this.masterHash)
      return rowOf({ principal: masterPrincipal(keyHash), expiresAt: undefined, blocked: false });
    const key = this.#config.current.keys.find(keyHash);
    return key && rowOf(key);
  }
}

function rowOf({ principal, keyName, expiresAt, blocked }: ConfiguredKey): KeyRow {
  const { limits, passThrough } = principal;
  return {
    ...blankKey,
    key_hash: principal.keyHash,
    key_name: keyName ?? principal.keyAlias ?? CONFIGURATION,
    key_alias: principal.keyAlias ?? null,
    user_id: principal.userId ?? null,
    user_role: principal.role,
    team_id: principal.teamId ?? null,
    metadata: JSON.stringify(principal.metadata),
    team_metadata: JSON.stringify(principal.teamMetadata),
    allowed_model_region: principal.allowedModelRegion ?? null,
    models: JSON.stringify(principal.models),
    rpm_limit: limits.rpm ?? null,
    tpm_limit: limits.tpm ?? null,
    max_parallel_requests: limits.maxParallelRequests ?? null,
    max_budget: limits.maxBudget ?? null,
    budget_duration: limits.budgetDuration ?? null,
    blocked: blocked ? 1 : 0,
    expires_at: expiresAt ?? null,
    settings: JSON.stringify({
      ...(passThrough === undefined ? {} : { allowed_passthrough_routes: passThrough.routes }),
      ...(limits.maxRollover === undefined ? {} : { max_rollover: limits.maxRollover }),
    }),
    created_at: 0,
    created_by: CONFIGURATION,
    updated_at: 0,
    updated_by: CONFIGURATION,
  };
}
