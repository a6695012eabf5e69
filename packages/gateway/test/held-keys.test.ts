import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import {
  type DeploymentKind,
  describeOnReplicas,
  expectSoon,
  type StartDeployment,
} from "./support/deployments.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

/**
 * An organization's admin may renew the personal key of its user, and has the text then. By it the admin must not become
 * what the user is in teams of others.
 */
const config = `
model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}}
general_settings: {master_key: ${MASTER_KEY}}
`;

function suite(start: StartDeployment, kind: DeploymentKind): void {
  let gateway: TestGateway;
  let boss: string;
  /** Bob's personal key, whose text the admin of his organization has too; one of his own; his key in another one's team. */
  let held: string;
  let own: string;
  let inTeam: string;

  async function ask(path: string, key: string, body?: JsonObject) {
    const answer = await gateway.call(path, { key, ...(body && { body }) });
    return { status: answer.status, text: await answer.text() };
  }
  async function done(path: string, body: JsonObject, key = gateway.masterKey): Promise<JsonObject> {
    const { status, text } = await ask(path, key, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as JsonObject;
  }

  beforeAll(async () => {
    gateway = await start({ config });
    for (const organization_id of ["ours", "theirs"])
      await done("/organization/new", { organization_id, organization_alias: organization_id });
    const user = async (user_id: string) =>
      (await done("/user/new", { user_id, organizations: ["ours"] })).key as string;
    boss = await user("boss");
    own = await user("bob");
    await done("/organization/member_add", {
      organization_id: "ours",
      member: { user_id: "boss", role: "org_admin" },
    });
    const more = { team_member_permissions: ["/key/generate", "/key/info"], members: ["carol"] };
    await done("/team/new", { team_id: "secret", organization_id: "theirs", admins: ["bob"], ...more });
    inTeam = (await done("/key/generate", { team_id: "secret", user_id: "bob" })).key as string;
    const lost = await done("/key/generate", { user_id: "bob" });
    held = (await done("/key/regenerate", { key: lost.key as string }, boss)).key as string;
    const call = { model: "m", messages: [{ role: "user", content: "hi" }], mock_response: "hello" };
    await done("/v1/chat/completions", call, inTeam);
    await done("/v1/chat/completions", call, held);
  });
  afterAll(() => gateway?.close());

  const looks = [
    "/team/info?team_id=secret",
    "/team/list",
    "/v2/team/list",
    "/team/permissions_list?team_id=secret",
    "/team/secret/callback",
    "/key/list?return_full_object=true",
    "/user/info",
    "/v2/user/info",
    "/spend/logs",
    "/spend/keys",
    "/spend/users",
    "/global/spend/report?start_date=2020-01-01&end_date=2199-12-31",
    "/global/spend/teams",
    "/team/daily/activity?start_date=2020-01-01&end_date=2199-12-31",
    "/audit",
  ];

  it("shows nothing of them", async () => {
    const seenBy = async (key: string) => {
      const seen: string[] = [];
      for (const path of looks) if ((await ask(path, key)).text.includes('"secret"')) seen.push(path);
      return seen;
    };
    expect(await seenBy(held)).toEqual([]);
    expect(await seenBy(own)).toEqual(
      looks.filter((path) => path !== "/spend/users" && path !== "/audit").concat("/audit"),
    );
    expect((await ask(`/key/info?key=${inTeam}`, held)).status).toBe(404);
    // What it has itself is its own.
    expect((await ask("/spend/logs", held)).text).toContain('"user":"bob"');
    expect((await ask("/key/info", held)).status).toBe(200);
  });

  it("changes nothing of them", async () => {
    const changes: readonly (readonly [string, JsonObject])[] = [
      ["/key/generate", { team_id: "secret" }],
      ["/key/generate", { team_id: "secret", user_id: "carol" }],
      ["/key/service-account/generate", { team_id: "secret" }],
      ["/key/update", { key: inTeam, key_alias: "mine" }],
      ["/key/regenerate", { key: inTeam }],
      ["/key/delete", { keys: [inTeam] }],
      ["/key/block", { key: inTeam }],
      ["/team/update", { team_id: "secret", team_alias: "mine" }],
      ["/team/member_add", { team_id: "secret", member: { user_id: "boss", role: "user" } }],
      ["/team/permissions_update", { team_id: "secret", team_member_permissions: [] }],
    ];
    for (const [path, body] of changes) {
      const { status } = await ask(path, held, body);
      expect([path, [403, 404].includes(status)]).toEqual([path, true]);
    }
    expect((await ask("/v1/models", inTeam)).status).toBe(200);
    await done("/team/update", { team_id: "secret", team_alias: "named" }, own);
  });

  it("gives the same to what is made with it, until the user renews it with another one", async () => {
    const further = (await done("/key/generate", {}, held)).key as string;
    expect((await ask("/team/info?team_id=secret", further)).status).toBe(404);
    const itself = (await done("/key/regenerate", { key: held }, held)).key as string;
    expect((await ask("/team/info?team_id=secret", itself)).status).toBe(404);
    const alone = (await done("/key/regenerate", { key: itself }, own)).key as string;
    await expectSoon(kind, async () => (await ask("/team/info?team_id=secret", alone)).status, 200);
  });
}

describe("A personal key that an organization's admin has renewed", () =>
  suite(startTestGateway, "embedded"));
describeOnReplicas("A personal key that an organization's admin has renewed", suite);
