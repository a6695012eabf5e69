import { isJsonObject } from "../../../contract/json.ts";
import { absentRouter } from "./absent-options.ts";
import { type NamedLimits, namedBudgets } from "./named-limits.ts";
import {
  amount,
  count,
  flag,
  ignored,
  type Option,
  objectValue,
  oneOf,
  optional,
  text,
  texts,
  unenforced,
  WrongValue,
} from "./option.ts";
import { allowedFailsPolicy, retryPolicies, retryPolicy } from "./retry-policies.ts";

/** For each model name, the names to try in its place, in order. */
export type Fallbacks = Readonly<Record<string, readonly string[]>>;

/** `router_settings`: which deployment is tried, and what happens when it fails. */
export const routerOptions = {
  routing_strategy: oneOf(
    ["simple-shuffle", "least-busy", "latency-based-routing", "usage-based-routing", "cost-based-routing"],
    "simple-shuffle",
    "How one deployment is chosen among those of the same model.",
    { "usage-based-routing-v2": "usage-based-routing" },
  ),
  prompt_cache_affinity: flag(
    true,
    "Lead calls that share a long prefix, a `prompt_cache_key`, a conversation or an agent's session to the same deployment while it is healthy.",
  ),
  model_group_alias: aliases("Further names of models: alias to `model_name`."),
  num_retries: count(2, "Further tries of a failed call at the same model."),
  retry_policy: retryPolicy(
    "Further tries by the class of the error, also of errors that are not tried again otherwise; in place of `num_retries`.",
  ),
  model_group_retry_policy: retryPolicies("The same for single models, in place of `retry_policy`."),
  max_fallbacks: count(5, "At most this many fallback models for one call."),
  fallbacks: fallbacks("Models to try when all deployments of one failed."),
  context_window_fallbacks: fallbacks("Models to try when the request was too long for one."),
  content_policy_fallbacks: fallbacks("Models to try when the provider refused the content."),
  default_fallbacks: texts([], "Fallbacks of models that have none of their own."),
  allowed_fails: count(3, "Failures within a minute before a deployment goes into cooldown."),
  allowed_fails_policy: allowedFailsPolicy(
    "The same by the class of the error, in place of `allowed_fails`: an error of a class that stands here never leads to a cooldown at once.",
  ),
  cooldown_time: amount(5, "Seconds a failing deployment stays in cooldown."),
  disable_cooldowns: flag(false, "Never let a deployment rest."),
  retry_after: amount(0, "Least seconds between two tries."),
  timeout: optional(amount(0, "Seconds for a whole call; `request_timeout` otherwise.")),
  stream_timeout: optional(amount(0, "Seconds until the first byte of a stream.")),
  stream_hold: amount(
    2,
    "Seconds that a stream waits for its first content while another deployment could still take over.",
  ),
  default_litellm_params: objectValue("Parameters of every deployment that does not set them itself."),
  default_max_parallel_requests: optional(
    count(0, "Calls in flight at the same moment, for deployments that set no limit of their own."),
  ),
  redis_url: optional(
    text(
      "",
      "`redis://...`: the server through which replicas share limits, connected to at the start; REDIS_URL without it.",
    ),
  ),
  redis_host: optional(text("", "The same by its name; REDIS_HOST without it.")),
  redis_port: optional(count(0, "The same server's port.")),
  redis_password: optional(text("", "The same server's password.")),
  redis_db: optional(count(0, "Number of the database there.")),
  enable_tag_filtering: flag(
    false,
    "Choose deployments by `tags`: those of the key's `metadata.tags`, else of the request's, else `default`.",
  ),
  tag_filtering_match_any: flag(true, "One tag in common is enough; otherwise a deployment needs all."),
  provider_budget_config: providerBudgets(
    "US dollars that the calls of a provider may cost (`budget_limit`) within a length of time (`time_period`), or in all; its deployments get no call once they are spent.",
  ),
  guardrail_list: unenforced("name hook modules under `callbacks`, or patterns in `guard`"),
  fallback_budget_check: unenforced("a fallback is called when the key's budget has room for any call"),
  fallback_access_check: unenforced("fallbacks are the administrator's; keys need no right to them"),
  tag_routing_prefix: ignored("tags are compared whole"),
  routing_groups: ignored("`routing_strategy` holds for all models"),
  model_group_affinity_config: ignored("`prompt_cache_affinity` holds for every model"),
  enable_health_check_routing: ignored("deployments are judged by their calls"),
  health_check_staleness_threshold: ignored("deployments are judged by their calls"),
  health_check_ignore_transient_errors: ignored("deployments are judged by their calls"),
  background_health_check_model_groups: ignored("deployments are judged by their calls"),
  enable_weighted_failover: ignored("further tries go through the deployments in the strategy's order"),
  plugins: ignored("name hook modules under `callbacks`"),
  enable_pre_call_checks: ignored("deployments that cannot take a call are always left out"),
  optional_pre_call_checks: ignored(
    "`prompt_cache_affinity` is on; deployments that cannot take a call are left out",
  ),
  set_verbose: ignored("use --log-level"),
  debug_level: ignored("use --log-level"),
  cache_responses: ignored("set `cache` in `litellm_settings`"),
  routing_strategy_args: ignored("strategies have no arguments"),
  alerting_config: ignored("alerts are of budgets alone"),
  cache_kwargs: ignored("set `cache_params` in `litellm_settings`"),
  caching_groups: ignored("each model group has answers of its own"),
  client_ttl: ignored("connections are kept as long as they are used"),
  ignore_invalid_deployments: ignored("a wrong entry is an error"),
  deployment_affinity_ttl_seconds: ignored("`prompt_cache_affinity` keeps no state"),
  router_general_settings: ignored("there are none"),
  assistants_config: ignored("there is no such endpoint"),
  search_tools: ignored("there are none"),
  default_priority: ignored("there is no queue before models"),
  polling_interval: ignored("there is no queue before models"),
  ...absentRouter,
} as const;

/** Providers have their names in small letters. */
function providerBudgets(doc: string): Option<NamedLimits> {
  const budgets = namedBudgets(doc);
  return {
    ...budgets,
    read: (value) => {
      const read = budgets.read(value);
      if (read instanceof WrongValue) return read;
      const named = Object.entries(read).map(([name, limits]) => [name.toLowerCase(), limits] as const);
      const twice = named.find(([name], index) => named.findIndex(([other]) => other === name) < index);
      return twice === undefined
        ? Object.fromEntries(named)
        : new WrongValue(`expected each provider once, and ${twice[0]} stands twice`);
    },
  };
}

function aliases(doc: string): Option<Readonly<Record<string, string>>> {
  return {
    shape: "a map from alias to model name (or to {model, hidden})",
    initial: {},
    doc,
    read: (value) => {
      if (!isJsonObject(value)) return new WrongValue("expected a map from alias to model name");
      const map: Record<string, string> = {};
      for (const [alias, target] of Object.entries(value)) {
        const model = isJsonObject(target) ? target.model : target;
        if (typeof model !== "string") return new WrongValue("expected a model name", [alias]);
        map[alias] = model;
      }
      return map;
    },
  };
}

function fallbacks(doc: string): Option<Fallbacks> {
  return {
    shape: "a list of {model: [models to try]}",
    initial: {},
    doc,
    read: (value) => {
      const entries = Array.isArray(value) ? value : [value];
      const all: Record<string, readonly string[]> = {};
      for (const [index, entry] of entries.entries()) {
        const at = Array.isArray(value) ? [index] : [];
        if (!isJsonObject(entry)) return new WrongValue("expected {model: [models to try]}", at);
        for (const [model, targets] of Object.entries(entry)) {
          const list = typeof targets === "string" ? [targets] : targets;
          if (!Array.isArray(list) || list.some((target) => typeof target !== "string"))
            return new WrongValue("expected a list of model names", [...at, model]);
          all[model] = list as string[];
        }
      }
      return all;
    },
  };
}
