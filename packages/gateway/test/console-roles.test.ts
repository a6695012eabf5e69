import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let team: string;
let organization: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  organization = (await made("/organization/new", { organization_alias: "org" })).organization_id as string;
  team = (await made("/team/new", { team_alias: "t", organization_id: organization })).team_id as string;
});
afterAll(() => gateway.close());

async function made(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await gateway.call(path, { body });
  const text = await answer.text();
  expect(answer.status, `${path}: ${text}`).toBe(200);
  return JSON.parse(text) as Record<string, unknown>;
}

const user = (fields: object = {}) => made("/user/new", { auto_create_key: false, ...fields });
const keyOf = async (fields: object): Promise<string> => (await made("/key/generate", fields)).key as string;

/** A key of somebody who is this. */
const WHO: Readonly<Record<string, () => Promise<string>>> = {
  "the master key": async () => gateway.masterKey,
  "a viewer of all": () => keyOf({ user_role: "proxy_admin_viewer" }),
  "a plain key": () => keyOf({}),
  "a user": async () => keyOf({ user_id: (await user()).user_id }),
  "a user whose key has a limit": async () => keyOf({ user_id: (await user()).user_id, rpm_limit: 100 }),
  "an internal viewer": async () =>
    keyOf({ user_id: (await user({ user_role: "internal_user_viewer" })).user_id }),
  "a team's admin": async () => {
    const { user_id } = await user();
    await made("/team/member_add", { team_id: team, member: { user_id, role: "admin" } });
    return keyOf({ user_id });
  },
  "an organization's admin": async () => {
    const { user_id } = await user();
    const member = { user_id, role: "org_admin" };
    await made("/organization/member_add", { organization_id: organization, member });
    return keyOf({ user_id });
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
