import { anonymous, type Principal } from "../../contract/principal.ts";

/** LiteLLM's name for the user of the master key. What the master key makes is this user's. */
export const MASTER_USER = "default_user_id";

/** The principal of the master key. */
export function masterPrincipal(keyHash: string): Principal {
  return {
    ...anonymous,
    keyHash,
    keyAlias: "master",
    userId: MASTER_USER,
    role: "proxy_admin",
    isMaster: true,
  };
}
