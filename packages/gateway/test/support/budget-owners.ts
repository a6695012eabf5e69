import type { CallInit } from "./gateway.ts";

type Answer = Record<string, unknown>;
type Ask = (path: string, body?: object, init?: CallInit) => Promise<Answer>;

/** A kind of what has limits and budgets: how one is made, changed and looked at; each answers it as it is then. */
export interface BudgetOwner {
  make(id: string, fields: object): Promise<Answer>;
  change(id: string, fields: object): Promise<Answer>;
  show(id: string): Promise<Answer>;
}

/** Every kind of owner of budgets, by its name. */
export function budgetOwners(ask: Ask): Record<string, BudgetOwner> {
  const keys = new Map<string, string>();
  const PATCH = { method: "PATCH" };
  return {
    key: {
      make: async (id, fields) => {
        const made = await ask("/key/generate", { key_alias: id, ...fields });
        keys.set(id, made.key as string);
        return made;
      },
      change: (id, fields) => ask("/key/update", { key: keys.get(id), ...fields }),
      show: async (id) => (await ask(`/key/info?key=${keys.get(id)}`)).info as Answer,
    },
    team: {
      make: (team_id, fields) => ask("/team/new", { team_id, ...fields }),
      change: async (team_id, fields) => (await ask("/team/update", { team_id, ...fields })).data as Answer,
      show: async (id) => (await ask(`/team/info?team_id=${id}`)).team_info as Answer,
    },
    member: {
      make: async (id, { max_budget: max, ...fields }: { max_budget?: number }) => {
        await ask("/team/new", { team_id: `of ${id}` });
        const member = { user_id: `${id} of a team`, role: "user" };
        const body = { team_id: `of ${id}`, member, max_budget_in_team: max, ...fields };
        return ((await ask("/team/member_add", body)).team_memberships as Answer[])[0]!;
      },
      change: (id, fields) =>
        ask("/team/member_update", { team_id: `of ${id}`, user_id: `${id} of a team`, ...fields }),
      show: async (id) => ((await ask(`/team/info?team_id=of ${id}`)).team_memberships as Answer[])[0]!,
    },
    user: {
      make: (user_id, fields) => ask("/user/new", { user_id, auto_create_key: false, ...fields }),
      change: async (user_id, fields) => (await ask("/user/update", { user_id, ...fields })).data as Answer,
      show: async (id) => (await ask(`/user/info?user_id=${id}`)).user_info as Answer,
    },
    organization: {
      make: (id, fields) =>
        ask("/organization/new", { organization_id: id, organization_alias: id, ...fields }),
      change: (organization_id, fields) => ask("/organization/update", { organization_id, ...fields }, PATCH),
      show: (id) => ask(`/organization/info?organization_id=${id}`),
    },
    customer: {
      make: (user_id, fields) => ask("/customer/new", { user_id, ...fields }),
      change: (user_id, fields) => ask("/customer/update", { user_id, ...fields }),
      show: (id) => ask(`/customer/info?end_user_id=${id}`),
    },
    tag: {
      make: async (name, fields) => (await ask("/tag/new", { name, ...fields })).tag as Answer,
      change: async (name, fields) => (await ask("/tag/update", { name, ...fields })).tag as Answer,
      show: async (id) => (await ask("/tag/info", { names: [id] }))[id] as Answer,
    },
    budget: {
      make: (budget_id, fields) => ask("/budget/new", { budget_id, ...fields }),
      change: (budget_id, fields) => ask("/budget/update", { budget_id, ...fields }),
      show: async (id) => ((await ask("/budget/info", { budgets: [id] })) as unknown as Answer[])[0]!,
    },
  };
}
