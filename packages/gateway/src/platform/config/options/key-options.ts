import { ROLES } from "../../../contract/principal.ts";
import { amount, count, flag, objectValue, oneOf, optional, text, texts } from "./option.ts";

/** An entry of `keys[]`: a gateway key given in the file. */
export const keyOptions = {
  key: text("", "The key itself, or os.environ/NAME."),
  key_alias: optional(text("", "A name for it in lists and logs.")),
  user_id: optional(text("", "Whose it is.")),
  user_role: oneOf(ROLES, "internal_user", "What it may do; `proxy_admin` may do everything."),
  team_id: optional(text("", "The team whose objects it shares.")),
  metadata: objectValue(
    "Free; `agents` lists the agents it sees, `priority` names the share of `priority_reservation` that its calls have.",
  ),
  team_metadata: objectValue(
    "Free; `agents` lists the agents its team sees; `priority` comes before the key's own.",
  ),
  allowed_model_region: optional(text("", "The one region its calls may run in.")),
  models: texts([], "Models it may call, wildcards allowed; none means all."),
  allowed_passthrough_routes: texts(
    [],
    "Paths below which it may pass requests through to a provider, wildcards allowed; none means nothing.",
  ),
  rpm_limit: optional(count(0, "Requests per minute.")),
  tpm_limit: optional(count(0, "Tokens per minute.")),
  max_parallel_requests: optional(count(0, "Calls in flight at the same moment.")),
  max_budget: optional(amount(0, "US dollars per `budget_duration`, or in all.")),
  budget_duration: optional(text("", "Length of a budget window: `30s`, `12h`, `30d`, `1mo`.")),
  max_rollover: optional(
    amount(
      0,
      "US dollars of a window's budget that may be spent in the next window where they were left, at most.",
    ),
  ),
  expires: optional(text("", "ISO date and time after which it is refused.")),
  blocked: flag(false, "Refused while true."),
} as const;
