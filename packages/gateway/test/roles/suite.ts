import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/json.ts";
import { MANAGEMENT_ROLES, type ManagementRole } from "../../src/core/auth/roles.ts";
import { startWholeGateway } from "../rules/everything.ts";
import { addressOf, examples, type Ids, successOf } from "../rules/requests.ts";
import { type Kind, makeManaged, teamMetadata } from "../rules/stage.ts";
import { type DeploymentKind, expectSoon, type StartDeployment } from "../support/deployments.ts";
import type { TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import type { managedOperations } from "./table.ts";

/** Whether the fast lane asks a route, by its place among all, as a role: the full lane asks all. */
export const isAskedFast = (index: number, role: ManagementRole): boolean =>
  role === "proxy_admin" || index % 3 === 0;

/**
 * Every role against routes that manage.
 * @param isAsked by the route's place among all and the role; absent for every route as every role
 */
export function roleSuite(
  managed: ReturnType<typeof managedOperations>,
  start: StartDeployment,
  kind: DeploymentKind,
  isAsked: typeof isAskedFast = () => true,
): void {
  let gateway: TestGateway;
  /** A key and a user for each role, within the organization `home`. */
  const keys = new Map<ManagementRole, string>();

  async function post(path: string, body: JsonObject, method = "POST"): Promise<JsonObject> {
    const answer = await gateway.call(path, { method, body });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as JsonObject;
  }

  beforeAll(async () => {
    gateway = await startWholeGateway(start);
    await post("/organization/new", { organization_id: "home", organization_alias: "home" });
    for (const role of MANAGEMENT_ROLES) {
      const isWithin = role === "org_admin" || role === "team_admin";
      const user = { user_id: role, user_role: isWithin ? "internal_user" : role, organizations: ["home"] };
      keys.set(role, (await post("/user/new", user)).key as string);
    }
    const member = { user_id: "org_admin", role: "org_admin" };
    await post("/organization/member_add", { organization_id: "home", member });
    const members_with_roles = [{ user_id: "team_admin", role: "admin" }];
    await post("/team/new", { team_id: "first", organization_id: "home", members_with_roles });
  });
  afterAll(() => gateway?.close());

  /** Something that the role has to do with, as far as it can. */
  async function within(role: ManagementRole, kind: Kind): Promise<Ids> {
    const newTeam = async () => {
      const others = MANAGEMENT_ROLES.filter((other) => other !== "team_admin");
      const users = [...others, "member"].map((user_id) => ({ user_id, role: "user" }));
      const members_with_roles = [{ user_id: "team_admin", role: "admin" }, ...users];
      const { team_id } = await post("/team/new", {
        organization_id: "home",
        members_with_roles,
        models: ["a", "gpt"],
        metadata: teamMetadata,
      });
      return team_id as string;
    };
    switch (kind) {
      case "team":
        return { team: await newTeam() };
      case "key": {
        const { key } = await post("/key/generate", { user_id: role, team_id: await newTeam() });
        return { key: key as string };
      }
      case "user": {
        // Who may delete users must not delete itself.
        if (!["org_admin", "proxy_admin"].includes(role)) return { user: role };
        const made = await post("/user/new", { organizations: ["home"], auto_create_key: false });
        return { user: made.user_id as string };
      }
      case "organization": {
        const member = { user_id: "member", role: "internal_user" };
        await post("/organization/member_add", { organization_id: "home", member });
        return { organization: "home" };
      }
      case "audit": {
        const team = await newTeam();
        const log = await gateway.call(`/audit?object_id=${team}`);
        const { audit_logs } = (await log.json()) as { audit_logs: { id: string }[] };
        return { audit: audit_logs[0]!.id };
      }
      default:
        return { [kind]: await makeManaged(gateway, kind) };
    }
  }

  /** What the example leaves to whoever may do all. */
  const bodies: Readonly<Record<string, JsonObject>> = {
    createTeam: { organization_id: "home" },
    createUser: { organizations: ["home"] },
    updateTeamMember: { role: "user" },
    updateOrganizationMember: { role: "internal_user" },
  };

  async function statusOf(id: string, role: ManagementRole, ids: Ids): Promise<[number, string]> {
    const { operation } = managed.find((each) => each.operation.id === id)!;
    const { query, body } = examples[id]!;
    const own = body && { ...body(ids), ...(role === "proxy_admin" ? {} : bodies[id]) };
    const address = addressOf(operation, operation.path, ids) + (query?.(ids) ?? "");
    const answer = await gateway.call(address, {
      method: operation.method,
      key: keys.get(role)!,
      ...(own && { body: own }),
    });
    return [answer.status, await answer.text()];
  }

  const cells = managed.flatMap(({ operation, row }, index) =>
    MANAGEMENT_ROLES.filter((role) => isAsked(index, role)).map((role) => ({
      role,
      id: operation.id,
      operation,
      reach: row[role],
    })),
  );

  it.each(cells)("$role reaches by $operation.method $operation.path what the table says", async (cell) => {
    const { role, id, operation, reach } = cell;
    const { needs } = examples[id]!;
    // There is one organization of theirs, which proxy administrators leave to the others.
    const isLast = id === "deleteOrganizations";
    const ids = needs === undefined ? {} : isLast ? await foreign(needs) : await within(role, needs);
    const expected = reach === undefined ? 403 : successOf(operation);
    // What one replica has just made is there at the others within a second; a refusal never takes that long.
    const isThere = ([status]: [number, string]) => status !== 404 || kind === "embedded" || expected === 404;
    const [status, text] = await until(() => statusOf(id, role, ids), isThere);
    expect([status, text]).toEqual([expected, expect.anything()]);
    if (needs === undefined || reach === undefined || reach.includes("all")) return;
    const [ofOthers] = await statusOf(id, role, await foreign(needs));
    expect([403, 404]).toContain(ofOthers);
  });

  async function foreign(kind: Kind): Promise<Ids> {
    return { [kind]: await makeManaged(gateway, kind) };
  }

  describe("of a user", () => {
    const refusals: readonly (readonly [ManagementRole, string, JsonObject])[] = [
      ["internal_user", "/key/generate", { user_id: "proxy_admin" }],
      ["internal_user", "/key/generate", { user_role: "proxy_admin" }],
      ["internal_user", "/key/generate", { metadata: { agents: ["all"] } }],
      ["internal_user", "/key/generate", { team_metadata: { agents: ["all"] } }],
      ["internal_user", "/key/generate", { organization_id: "home" }],
      ["internal_user", "/key/generate", { tags: ["paid"] }],
      ["org_admin", "/key/generate", { user_id: "proxy_admin", organization_id: "home" }],
      ["org_admin", "/key/generate", { user_role: "proxy_admin" }],
      ["org_admin", "/user/new", { user_role: "proxy_admin", organizations: ["home"] }],
      ["org_admin", "/user/new", {}],
      ["org_admin", "/team/new", {}],
      ["internal_user", "/user/update", { user_id: "internal_user", user_role: "proxy_admin" }],
      ["internal_user", "/user/update", { user_id: "internal_user", models: [] }],
    ];

    it.each(refusals)("%s gives nobody more than it has by %s %j", async (role, path, body) => {
      const answer = await gateway.call(path, { key: keys.get(role)!, body });
      expect([answer.status, await answer.text()]).toEqual([403, expect.anything()]);
    });

    it("has no say over a team beyond what the team's admins have", async () => {
      const { team } = await within("team_admin", "team");
      for (const body of [
        { models: [] },
        { organization_id: "elsewhere" },
        { blocked: false },
        { metadata: { agents: ["all"] } },
      ]) {
        const answer = await gateway.call("/team/update", {
          key: keys.get("team_admin")!,
          body: { team_id: team, ...body },
        });
        expect([body, answer.status]).toEqual([body, 403]);
      }
      const admin = { team_id: team, member: { user_id: "friend", role: "admin" } };
      const added = await gateway.call("/team/member_add", { key: keys.get("team_admin")!, body: admin });
      expect(added.status).toBe(403);
      const stranger = { team_id: team, user_id: "stranger" };
      const made = await gateway.call("/key/generate", { key: keys.get("team_admin")!, body: stranger });
      expect(made.status).toBe(403);
    });

    it("lets members make keys of their team where the team says so, and not before", async () => {
      const { team } = await within("internal_user", "team");
      const make = async () =>
        (await gateway.call("/key/generate", { key: keys.get("internal_user")!, body: { team_id: team } }))
          .status;
      expect(await make()).toBe(403);
      await post("/team/permissions_update", {
        team_id: team,
        team_member_permissions: ["/key/generate"],
      });
      expect(await make()).toBe(200);
    });

    it("ends with the user, and is another one at once when that is changed", async () => {
      const { key } = await post("/user/new", { user_id: "risen" });
      const status = async () => (await gateway.call("/budget/list", { key: key as string })).status;
      const becomes = (right: number): Promise<void> => expectSoon(kind, status, right);
      await becomes(403);
      await post("/user/update", { user_id: "risen", user_role: "proxy_admin" });
      await becomes(200);
      await post("/user/update", { user_id: "risen", user_role: "internal_user" });
      await becomes(403);
      await post("/user/delete", { user_ids: ["risen"] });
      await becomes(401);
    });

    it("makes no key from a key that is limited itself", async () => {
      const limited = await post("/key/generate", { user_id: "internal_user", max_budget: 1 });
      const made = await gateway.call("/key/generate", { key: limited.key as string, body: {} });
      expect(made.status).toBe(403);
      const renamed = await gateway.call("/key/update", {
        key: limited.key as string,
        body: { key: limited.key, max_budget: 100 },
      });
      expect(renamed.status).toBe(403);
    });
  });
}
