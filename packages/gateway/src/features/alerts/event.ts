import type { JsonObject } from "../../contract/json.ts";
import type { EntityStore } from "../../core/auth/records/entity-store.ts";
import type { BudgetWindow } from "../../core/ledger/budget-window.ts";
import type { Spender } from "../../core/ledger/spend-watch.ts";
import type { ReachedLevel } from "./levels.ts";
import { projected } from "./projection.ts";

/** LiteLLM's names of what an event is about, by the kinds of owners. */
const GROUPS: Readonly<Record<string, string>> = {
  user: "user",
  team: "team",
  member: "team_member",
  organization: "organization",
  customer: "end_user",
  tag: "tag",
  proxy: "proxy",
};
const TITLES: Readonly<Record<string, string>> = {
  key: "Key",
  user: "User",
  team: "Team",
  team_member: "Team Member",
  organization: "Organization",
  end_user: "Customer",
  tag: "Tag",
  proxy: "Proxy",
};

/** How a budget stands. Amounts are US dollars. */
interface Standing {
  readonly spent: number;
  /** What rolled over to it. */
  readonly more: number;
  readonly window: BudgetWindow | undefined;
  /** In which days are told. */
  readonly timezone: string | undefined;
}

/** What is told of a budget, in the fields of LiteLLM's webhooks; never a key itself. */
export async function budgetEvent(
  entities: EntityStore,
  { scope, principal }: Spender,
  level: ReachedLevel,
  { spent, more, window, timezone }: Standing,
): Promise<JsonObject> {
  const { owner, model } = partsOf(scope.owner);
  const [kind = "", , ...rest] = owner.split(" ");
  const group = GROUPS[kind] ?? "key";
  const id = rest.join(" ");
  const isOf = (...groups: string[]) => groups.includes(group);
  const userId = group === "user" ? id : isOf("key", "team_member") ? (principal.userId ?? null) : null;
  const user = userId === null ? undefined : await entities.find("user", userId);
  const teamId = group === "team" ? id : isOf("key", "team_member") ? (principal.teamId ?? null) : null;
  return {
    spend: spent,
    max_budget: scope.limits.maxBudget ?? null,
    ...(more > 0 ? { rolled_over: more } : {}),
    soft_budget: scope.limits.softBudget ?? null,
    token: group === "key" ? principal.keyHash : null,
    key_alias: group === "key" ? (principal.keyAlias ?? null) : null,
    customer_id: group === "end_user" ? id : null,
    user_id: userId,
    user_email: user?.email ?? null,
    team_id: teamId,
    organization_id: group === "organization" ? id : null,
    ...(group === "tag" ? { tag: id } : {}),
    ...(model === undefined ? {} : { model }),
    ...projected(
      scope.limits.maxBudget === undefined ? undefined : scope.limits.maxBudget + more,
      spent,
      window,
      Date.now(),
      timezone,
    ),
    event: level.event,
    event_group: group,
    event_message: `${TITLES[group]!} Budget: ${level.message}`,
  };
}

/** An owner, and the model that it counts alone (`modelOwner`). */
function partsOf(name: string): { owner: string; model: string | undefined } {
  if (!name.startsWith("model ")) return { owner: name, model: undefined };
  const at = name.lastIndexOf(" ");
  return { owner: name.slice("model ".length, at), model: name.slice(at + 1) };
}
