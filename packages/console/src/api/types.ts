import type { Budget } from "../ui/budget.ts";

/** What the gateway's management endpoints answer with, as far as the console shows it. Times are ISO 8601. */

/** Who is signed in. */
export interface Session {
  readonly role: string;
  readonly user_id: string | null;
  readonly key_name: string | null;
  readonly key_hash: string;
  /** To each route that it may ask for, what it reaches. */
  readonly may: Readonly<Record<string, Reach | undefined>>;
  /** With a key, or at an identity provider. */
  readonly by: "key" | "sso";
}

/** Everything, or what belongs to these. */
export interface Reach {
  readonly all: boolean;
  readonly organizations: readonly string[];
  readonly teams: readonly string[];
  readonly user: string | null;
  readonly key: string | null;
}

/** One request in the spend log; US dollars. */
export interface SpendRow {
  readonly request_id: string;
  readonly api_key: string;
  readonly user: string | null;
  readonly team_id: string | null;
  readonly model: string;
  readonly model_id: string | null;
  readonly custom_llm_provider: string | null;
  readonly call_type: string;
  readonly status: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly spend: number;
  readonly startTime: string;
  readonly endTime: string;
  /** When the answer of a stream began. */
  readonly completionStartTime: string | null;
  readonly cache_hit: boolean;
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  /** Names of the tools whose results the request brought, with repeats. */
  readonly tools: readonly string[];
  readonly failed_tries: readonly {
    readonly model_id: string;
    readonly ms: number;
    readonly status: number;
  }[];
  readonly fallbacks: number;
}

/** What an agent or a client did in one session; US dollars. */
export interface AgentSession {
  readonly session_id: string;
  readonly api_key: string;
  readonly user: string | null;
  readonly models: readonly string[];
  readonly requests: number;
  readonly failures: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
  readonly spend: number;
  readonly startTime: string;
  readonly endTime: string;
}

/** Sums over some requests. */
export interface Totals {
  readonly requests: number;
  readonly failures: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_tokens: number;
  readonly spend: number;
  /** Streams whose answer began, and the milliseconds until then of all of them together. */
  readonly streams: number;
  readonly first_ms: number;
}

/** Sums over a stretch of time, whole and in steps, and by model. */
export interface Overview {
  readonly start: string;
  readonly end: string;
  /** Seconds. */
  readonly step: number;
  readonly totals: Totals;
  /** Steps without a request are left out. */
  readonly series: readonly (Totals & { readonly time: string })[];
  readonly models: readonly (Totals & { readonly model: string; readonly average_seconds: number })[];
}

export interface Deployment {
  readonly model_name: string;
  readonly litellm_params: {
    readonly model: string;
    readonly custom_llm_provider?: string;
    readonly api_base?: string;
  };
  readonly model_info: {
    readonly id: string;
    readonly mode?: string;
    readonly db_model?: boolean;
    readonly max_input_tokens?: number;
    readonly max_output_tokens?: number;
    readonly input_cost_per_token?: number;
    readonly output_cost_per_token?: number;
  };
}

export interface DeploymentHealth {
  readonly model_id: string;
  /** Milliseconds until an answer began, lately. */
  readonly latency_ms?: number;
  readonly cooldown_seconds?: number;
}

export interface Health {
  readonly healthy_endpoints: readonly DeploymentHealth[];
  readonly unhealthy_endpoints: readonly DeploymentHealth[];
}

export interface Key extends Budget {
  readonly budget_id?: string | null;
  /** The key's hash. */
  readonly token: string;
  readonly key_name: string | null;
  readonly key_alias: string | null;
  readonly spend: number;
  readonly max_budget: number | null;
  readonly budget_duration: string | null;
  readonly max_rollover: number | null;
  readonly models: readonly string[];
  readonly rpm_limit: number | null;
  readonly tpm_limit: number | null;
  readonly user_id: string | null;
  readonly team_id: string | null;
  readonly organization_id: string | null;
  readonly blocked: boolean | null;
  readonly expires: string | null;
  readonly created_at: string;
}

export interface KeyPage {
  readonly keys: readonly Key[];
  readonly total_count: number;
  readonly total_pages: number;
}

export interface Team extends Budget {
  readonly team_id: string;
  readonly team_alias: string | null;
  readonly organization_id: string | null;
  readonly spend: number;
  readonly models: readonly string[];
  readonly blocked: boolean | null;
  readonly members_with_roles?: readonly { readonly user_id: string; readonly role: string }[];
}

/** Somebody in a team, with what the team gave them. */
export interface TeamMember extends Budget {
  readonly user_id: string;
  readonly role: string;
  /** US dollars; absent for those whose spend the caller may not see. */
  readonly spend?: number;
  readonly max_budget_in_team?: number | null;
}

export interface TeamInfo {
  readonly team_info: Team;
  readonly team_memberships: readonly TeamMember[];
}

/** Limits that keys, teams and users name. */
export interface NamedBudget extends Budget {
  readonly budget_id: string;
  readonly rpm_limit?: number | null;
  readonly tpm_limit?: number | null;
}

export interface TeamPage {
  readonly teams: readonly Team[];
  readonly total: number;
  readonly total_pages: number;
}

export interface User extends Budget {
  readonly user_id: string;
  readonly user_email: string | null;
  readonly user_role: string | null;
  readonly organization_memberships?: readonly { readonly organization_id: string }[];
  readonly spend: number;
}

export interface UserPage {
  readonly users: readonly User[];
  readonly total: number;
  readonly total_pages: number;
}

export interface AuditEntry {
  readonly id: string;
  readonly updated_at: string;
  readonly changed_by: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly table_name: string;
  readonly object_id: string;
  readonly before_value: unknown;
  readonly updated_values: unknown;
}

export interface AuditPage {
  readonly audit_logs: readonly AuditEntry[];
  readonly total: number;
  readonly total_pages: number;
}

/** A batch (OpenAI API reference: Batch); times in seconds since the epoch. */
export interface Batch {
  readonly id: string;
  readonly model?: string | null;
  readonly endpoint: string;
  readonly status: string;
  readonly created_at: number;
  readonly input_file_id: string;
  readonly output_file_id?: string | null;
  readonly error_file_id?: string | null;
  readonly request_counts?: {
    readonly total: number;
    readonly completed: number;
    readonly failed: number;
  } | null;
  readonly errors?: {
    readonly data?: readonly { readonly message: string; readonly line: number | null }[];
  } | null;
}

/** A video (OpenAI API reference: Videos); times in seconds since the epoch. */
export interface Video {
  readonly id: string;
  readonly model: string;
  readonly status: string;
  /** Percent. */
  readonly progress?: number;
  readonly created_at: number;
  readonly size?: string;
  readonly seconds?: string;
  readonly error?: { readonly message?: string } | null;
}

/** An agent that callers talk to by A2A. */
export interface Agent {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly agent_card_params: {
    readonly name?: string;
    readonly description?: string;
    readonly version?: string;
    readonly url?: string;
  };
  readonly gateway_params?: { readonly model?: string; readonly api_base?: string };
}

/** The configuration file as the gateway shows it: with its secrets masked. */
export interface Configuration {
  /** `null` where there is none. */
  readonly file: string | null;
  readonly loaded_at?: string;
  readonly text?: string | null;
  readonly warnings?: readonly string[];
  /** What stands in the file now, where that cannot be used. */
  readonly rejected?: {
    readonly at: string;
    readonly text: string | null;
    readonly problems: readonly string[];
  };
}
