import type { Principal } from "../../contract/principal.ts";

/** The principal of the master key; LiteLLM calls its user `default_user_id`. */
export function masterPrincipal(keyHash: string): Principal {
  return {
    keyHash,
    keyAlias: "master",
    userId: "default_user_id",
    role: "proxy_admin",
    teamId: undefined,
    metadata: {},
    teamMetadata: {},
    allowedModelRegion: undefined,
    models: [],
    limits: {},
    isMaster: true,
  };
}
