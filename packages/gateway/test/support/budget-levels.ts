import type { CallInit } from "./gateway.ts";

/** A level with some limits, keys whose calls are under it, what these calls say, and what the level shows. */
export interface Level {
  readonly keys: readonly [string, string];
  readonly more?: object;
  /** What a refusal calls the level's budget. */
  readonly name: string;
  shown(): Promise<Record<string, unknown>>;
  change(limits: object): Promise<unknown>;
}

/** Makes a new thing of one level, with limits by LiteLLM's names. */
export type MakeLevel = (limits: object) => Promise<Level>;

/** The gateway that levels are made at. */
export interface Maker {
  /** Calls a management route, by POST where there is a body, and throws where the answer is not 200. */
  must(path: string, body?: object, init?: CallInit): Promise<Readonly<Record<string, unknown>>>;
  masterKey(): string;
}

let made = 0;
const next = (): number => {
  made += 1;
  return made;
};

/** The levels above keys. */
export function aboveKeys({ must, masterKey }: Maker): Readonly<Record<string, MakeLevel>> {
  const keyOf = async (fields: object): Promise<string> =>
    (await must("/key/generate", fields)).key as string;
  return {
    organization: async (limits) => {
      const id = `o-${next()}`;
      await must("/organization/new", { organization_id: id, organization_alias: id, ...limits });
      await must("/team/new", { team_id: `t-of-${id}`, organization_id: id });
      return {
        keys: [await keyOf({ organization_id: id }), await keyOf({ team_id: `t-of-${id}` })],
        name: `the organization ${id}`,
        shown: () => must(`/organization/info?organization_id=${id}`),
        change: (limits) =>
          must("/organization/update", { organization_id: id, ...limits }, { method: "PATCH" }),
      };
    },
    team: async (limits) => {
      const id = `t-${next()}`;
      await must("/team/new", { team_id: id, ...limits });
      return {
        keys: [await keyOf({ team_id: id }), await keyOf({ team_id: id })],
        name: `the team ${id}`,
        shown: async () => (await must(`/team/info?team_id=${id}`)).team_info as Record<string, unknown>,
        change: (limits) => must("/team/update", { team_id: id, ...limits }),
      };
    },
    member: async (limits) => {
      const team = `t-${next()}`;
      const user = `u-of-${team}`;
      const inTeam = (given: { max_budget?: number }) => {
        const { max_budget: budget, ...rest } = given;
        return { ...rest, ...(budget === undefined ? {} : { max_budget_in_team: budget }) };
      };
      await must("/team/new", { team_id: team });
      await must("/team/member_add", {
        team_id: team,
        member: { user_id: user, role: "user" },
        ...inTeam(limits),
      });
      return {
        keys: [await keyOf({ team_id: team, user_id: user }), await keyOf({ team_id: team, user_id: user })],
        name: `the user ${user} in the team ${team}`,
        shown: async () => {
          const { team_memberships: members } = await must(`/team/info?team_id=${team}`);
          return (members as Record<string, unknown>[]).find((each) => each.user_id === user)!;
        },
        change: (limits) => must("/team/member_update", { team_id: team, user_id: user, ...inTeam(limits) }),
      };
    },
    user: async (limits) => {
      const id = `u-${next()}`;
      await must("/user/new", { user_id: id, auto_create_key: false, ...limits });
      return {
        keys: [await keyOf({ user_id: id }), await keyOf({ user_id: id })],
        name: `the user ${id}`,
        shown: async () => (await must(`/user/info?user_id=${id}`)).user_info as Record<string, unknown>,
        change: (limits) => must("/user/update", { user_id: id, ...limits }),
      };
    },
    customer: async (limits) => {
      const id = `c-${next()}`;
      await must("/customer/new", { user_id: id, ...limits });
      return {
        keys: [await keyOf({}), masterKey()],
        more: { user: id },
        name: `the customer ${id}`,
        shown: () => must(`/customer/info?end_user_id=${id}`),
        change: (limits) => must("/customer/update", { user_id: id, ...limits }),
      };
    },
    tag: async (limits) => {
      const name = `tag-${next()}`;
      await must("/tag/new", { name, ...limits });
      return {
        keys: [await keyOf({ tags: [name] }), await keyOf({ tags: [name, "unknown"] })],
        name: `the tag ${name}`,
        shown: async () => (await must("/tag/info", { names: [name] }))[name] as Record<string, unknown>,
        change: (limits) => must("/tag/update", { name, ...limits }),
      };
    },
  };
}

/** A key itself, and a key's budget for one model, which is called by two of its names. */
export function ofKeys(
  { must }: Maker,
  model: string,
  otherName: string,
): Readonly<Record<string, MakeLevel>> {
  const make = async (limits: object, name: string): Promise<Level> => {
    const key = (await must("/key/generate", limits)).key as string;
    return {
      keys: [key, key],
      name,
      shown: async () => (await must(`/key/info?key=${key}`)).info as Record<string, unknown>,
      change: (limits) => must("/key/update", { key, ...limits }),
    };
  };
  return {
    key: (limits) => make(limits, "this api key"),
    model: async (limits) => ({
      ...(await make({ model_max_budget: { [model]: limits } }, `this api key for ${model}`)),
      more: { model: otherName },
    }),
  };
}
