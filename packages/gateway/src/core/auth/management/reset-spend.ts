import { invalidRequest } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { parseJsonBody } from "../../../contract/json-body.ts";
import { modelOwner } from "../../../contract/owner-name.ts";
import { amount, given, object, orNull, text } from "../../../contract/schema.ts";
import { letHappenAgain } from "../../../platform/store/once.ts";
import { budgetWindow } from "../../ledger/budget-window.ts";
import { lowerSpend } from "../../ledger/lowered-spend.ts";
import { alertsOf } from "../../ledger/spend-watch.ts";
import type { ModelSettings } from "../fields/model-scopes.ts";
import { dollars } from "../fields/restriction-fields.ts";
import { type AuditEntry, type Change, change } from "../records/change.ts";
import { changerIn, type Managed } from "./management.ts";

/** The body of LiteLLM's `reset_spend`. */
export const resetSpendBody = given({
  "reset_to!": dollars(
    "What is spent from now on, in US dollars: not more than now, and not more than the budget.",
  ),
});

/** What `reset_spend` answers beside what it names. */
export const resetAnswer = (named: JsonObject) =>
  object({
    ...named,
    "spend!": amount("US dollars from now on."),
    "previous_spend!": amount("US dollars before."),
    max_budget: orNull(amount()),
    budget_reset_at: orNull(text()),
  });

/** Something whose spend can be lowered. */
export interface ResetTarget {
  /** Names what is spent under it. */
  readonly owner: string;
  readonly isKey: boolean;
  readonly models: ModelSettings;
  readonly maxBudget: number | null | undefined;
  readonly budgetDuration: string | null | undefined;
  readonly entry: Omit<AuditEntry, "action" | "before" | "after">;
  /** As the audit log has it, without its spend. */
  readonly object: JsonObject;
}

/**
 * Lowers what is spent under something to the `reset_to` of the body: its budget, those for some models and all their
 * windows have room again at once, on every replica.
 * @param find looks it up within the change, and whether the caller may
 * @throws GatewayError 400 for more than is spent, or than the budget
 */
export async function resetSpend(
  managed: Managed,
  find: (under: Change) => Promise<ResetTarget>,
): Promise<JsonObject> {
  const { exchange, parts } = managed;
  const { reset_to: to } = await parseJsonBody(exchange, resetSpendBody);
  // What has ended belongs to what is lowered, not to what comes after it.
  await parts.ledger.flush();
  const { store } = parts.entities;
  const { spender, previous } = await parts.lowering(() =>
    change(store, changerIn(managed), async (under) => {
      const spender = await find(under);
      const { owner, isKey, models, maxBudget } = spender;
      if (maxBudget != null && to > maxBudget)
        throw invalidRequest(`reset_to: more than the budget of ${maxBudget} US dollars`, "reset_to");
      const done = await lowerSpend(store, under.db, {
        owners: [owner, ...ownersOf(owner, models)],
        isKey,
        to,
      });
      for (const each of new Set([owner, ...done.lowered.map(({ owner }) => owner)]))
        await letHappenAgain(under.db, alertsOf(each));
      if (to > done.previous)
        throw invalidRequest(`reset_to: more than what is spent, ${done.previous} US dollars`, "reset_to");
      await under.audit({
        action: "updated",
        ...spender.entry,
        before: { ...spender.object, spend: done.previous },
        after: { ...spender.object, spend: to },
      });
      return { ...done, spender };
    }),
  );
  const window = budgetWindow(
    spender.budgetDuration == null ? {} : { budgetDuration: spender.budgetDuration },
    Date.now(),
    parts.timezone(),
  );
  return {
    spend: to,
    previous_spend: previous,
    max_budget: spender.maxBudget ?? null,
    budget_reset_at: window === undefined ? null : new Date(window.end).toISOString(),
  };
}

/** Under which names the spend on some models counts. */
function ownersOf(owner: string, settings: ModelSettings): string[] {
  const { model_max_budget, model_rpm_limit, model_tpm_limit } = settings;
  const models = [model_max_budget, model_rpm_limit, model_tpm_limit].flatMap((each) =>
    Object.keys(each ?? {}),
  );
  return [...new Set(models)].map((model) => modelOwner(owner, model));
}
