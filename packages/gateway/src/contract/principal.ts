import type { JsonObject } from "./json.ts";

/** Roles of LiteLLM's keys that the gateway tells apart; `proxy_admin` may manage keys and see everything. */
export type Role =
  | "proxy_admin"
  | "proxy_admin_viewer"
  | "internal_user"
  | "internal_user_viewer"
  | "team"
  | "customer";

/** What a key may use up. Absent means unlimited. */
export interface KeyLimits {
  /** Requests per minute. */
  readonly rpm?: number;
  /** Tokens per minute, input and output together. */
  readonly tpm?: number;
  /** Requests in flight at the same moment. */
  readonly maxParallelRequests?: number;
  /** US dollars within `budgetDuration`, or in all when that is absent. */
  readonly maxBudget?: number;
  /** Length of a budget window as LiteLLM writes it: `30s`, `12h`, `30d`, `1mo`. */
  readonly budgetDuration?: string;
}

/** Who is calling: what authentication found out about a gateway key. Never carries the key itself. */
export interface Principal {
  /** SHA-256 of the key in hex; names the key in logs, spend rows and ownership. */
  readonly keyHash: string;
  readonly keyAlias: string | undefined;
  readonly userId: string | undefined;
  readonly role: Role;
  readonly teamId: string | undefined;
  readonly metadata: JsonObject;
  readonly teamMetadata: JsonObject;
  readonly allowedModelRegion: string | undefined;
  /** Model names the key may call, wildcards allowed; empty means all. */
  readonly models: readonly string[];
  readonly limits: KeyLimits;
  /** The configured master key. */
  readonly isMaster: boolean;
}

/** The caller of a public route. */
export const anonymous: Principal = {
  keyHash: "",
  keyAlias: undefined,
  userId: undefined,
  role: "customer",
  teamId: undefined,
  metadata: {},
  teamMetadata: {},
  allowedModelRegion: undefined,
  models: [],
  limits: {},
  isMaster: false,
};
