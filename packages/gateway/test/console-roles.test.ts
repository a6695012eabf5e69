import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let team: string;
let organization: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  organization = (await gateway.must("/organization/new", { organization_alias: "org" }))
    .organization_id as string;
  team = (await gateway.must("/team/new", { team_alias: "t", organization_id: organization }))
    .team_id as string;
});
afterAll(() => gateway.close());

const user = (fields: object = {}) => gateway.must("/user/new", { auto_create_key: false, ...fields });
/** A key of somebody who is this. */
const WHO: Readonly<Record<string, () => Promise<string>>> = {
  "the master key": async () => gateway.masterKey,
  "a viewer of all": () => gateway.newKey({ user_role: "proxy_admin_viewer" }),
  "a plain key": () => gateway.newKey({}),
  "a user": async () => gateway.newKey({ user_id: (await user()).user_id }),
  "a user whose key has a limit": async () =>
    gateway.newKey({ user_id: (await user()).user_id, rpm_limit: 100 }),
  "an internal viewer": async () =>
    gateway.newKey({ user_id: (await user({ user_role: "internal_user_viewer" })).user_id }),
  "a team's admin": async () => {
    const { user_id } = await user();
    await gateway.must("/team/member_add", { team_id: team, member: { user_id, role: "admin" } });
    return gateway.newKey({ user_id });
  },
  "an organization's admin": async () => {
    const { user_id } = await user();
    const member = { user_id, role: "org_admin" };
    await gateway.must("/organization/member_add", { organization_id: organization, member });
    return gateway.newKey({ user_id });
  },
};

/** A request for each of the console's routes that does nothing where it may be asked for, or something of the caller's own. */
const REQUESTS = (mayGive: boolean): Readonly<Record<string, object | undefined>> => ({
  "POST /key/generate": mayGive ? { team_id: team } : {},
  "POST /key/update": { key: "sk-nothing" },
  "POST /key/block": { key: "sk-nothing" },
  "POST /key/regenerate": { key: "sk-nothing" },
  "POST /key/delete": { keys: ["sk-nothing"] },
  "POST /team/new": { organization_id: organization },
  "POST /team/update": { team_id: "nothing" },
  "POST /team/block": { team_id: "nothing" },
  "POST /team/delete": { team_ids: ["nothing"] },
  "POST /team/member_add": { team_id: "nothing", member: { user_id: "nobody", role: "user" } },
  "GET /user/list": undefined,
  "POST /user/new": { organizations: [organization] },
  "POST /user/update": { user_id: "nobody" },
  "POST /user/delete": { user_ids: ["nobody"] },
  "GET /budget/list": undefined,
  "POST /budget/new": {},
  "POST /model/new": {},
  "GET /ui/configuration": undefined,
  "GET /audit": undefined,
});

describe("What the console offers", () => {
  it.each(Object.keys(WHO))("is what the gateway lets them do: %s", async (who) => {
    const key = await WHO[who]!();
    const session = await gateway.call("/ui/session", { method: "GET", key });
    const { may } = (await session.json()) as { may: Record<string, { all: boolean }> };
    const refused: string[] = [];
    const requests = REQUESTS("POST /key/block" in may);
    for (const [route, body] of Object.entries(requests)) {
      const [method, path] = route.split(" ") as ["GET" | "POST", string];
      const answer = await gateway.call(path, { method, key, ...(body && { body }) });
      if (answer.status === 403) refused.push(route);
    }
    const offered = Object.keys(requests).filter((route) => !refused.includes(route));
    expect(Object.keys(may).sort()).toEqual(offered.sort());
  });
});
