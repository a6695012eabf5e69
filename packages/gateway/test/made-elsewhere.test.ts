import { describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

/** Whoever makes or renews a key for somebody has its text, and must not see by it what its user has made elsewhere. */
type Json = Record<string, unknown>;

const owners = ["auto", "user", "team", "key"];

describe.each(owners)("With object_owner: %s", (owner) => {
  it("nobody sees by a key for a user what it has made elsewhere", async () => {
    const gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_key: k}}
gateway_settings: {object_owner: ${owner}}
general_settings: {master_key: ${MASTER_KEY}}
`,
    });
    try {
      await tried(gateway);
    } finally {
      await gateway.close();
    }
  });
});

async function tried(gateway: TestGateway): Promise<void> {
  const ask = async (path: string, body: object, key = gateway.masterKey): Promise<Json> => {
    const answer = await gateway.call(path, { key, body });
    return { ...((await answer.json()) as object), status: answer.status };
  };
  const done = async (path: string, body: object, key?: string): Promise<Json> => {
    const answer = await ask(path, body, key);
    expect([path, answer]).toEqual([path, expect.objectContaining({ status: 200 })]);
    return answer;
  };
  const admins: string[] = [];
  for (const of of ["ours", "theirs"]) {
    const organization_id = `org ${of}`;
    await done("/organization/new", { organization_id, organization_alias: of });
    const made = await done("/user/new", { user_id: `boss ${of}`, organizations: [organization_id] });
    admins.push(made.key as string);
    const member = { user_id: `boss ${of}`, role: "org_admin" };
    await done("/organization/member_add", { organization_id, member });
    const members_with_roles = [{ user_id: `boss ${of}`, role: "admin" }];
    await done("/team/new", { team_id: `team ${of}`, organization_id, members_with_roles });
  }
  const [ours] = admins as [string];
  const own = async (user_id: string, organizations: string[] = []) =>
    (await done("/user/new", { user_id, organizations })).key as string;
  const victims = {
    "is of both": await own("shared", ["org ours", "org theirs"]),
    "is of another": await own("foreign", ["org theirs"]),
    "is of none": await own("lonely"),
  };
  const users = { "is of both": "shared", "is of another": "foreign", "is of none": "lonely" };
  for (const [which, key] of Object.entries(victims)) {
    const user_id = users[which as keyof typeof users];
    const { id } = await done("/v1/conversations", { metadata: { of: user_id } }, key);
    const member = { user_id, role: "user" };
    await done("/team/member_add", { team_id: "team ours", member }, ours);
    const of = async (more: Json) => (await done("/key/generate", { user_id, ...more })).key;
    const free = await done("/key/generate", { organization_id: "org ours" }, ours);
    const ways: Readonly<Record<string, () => Promise<Json>>> = {
      "made for it": () => ask("/key/generate", { user_id }, ours),
      "made for it in an organization": () =>
        ask("/key/generate", { user_id, organization_id: "org ours" }, ours),
      "made for it in a team": () => ask("/key/generate", { user_id, team_id: "team ours" }, ours),
      "renewed in an organization": async () =>
        ask("/key/regenerate", { key: await of({ organization_id: "org ours" }) }, ours),
      "renewed in a team": async () =>
        ask("/key/regenerate", { key: await of({ team_id: "team ours" }) }, ours),
      "renewed, its own": () => ask("/key/regenerate", { key }, ours),
      "given to it": async () => ({
        ...(await ask("/key/update", { key: free.key, user_id }, ours)),
        key: free.key,
      }),
    };
    for (const [way, make] of Object.entries(ways)) {
      const { status, key: got } = await make();
      expect([which, way, [200, 403, 404].includes(status as number)]).toEqual([which, way, true]);
      if (status !== 200) continue;
      const seen = await gateway.call(`/v1/conversations/${id as string}`, { key: got as string });
      expect([which, way, seen.status]).toEqual([which, way, 404]);
    }
    const still = await gateway.call(`/v1/conversations/${id as string}`, { key });
    expect([which, still.status]).toEqual([which, 200]);
  }
}
