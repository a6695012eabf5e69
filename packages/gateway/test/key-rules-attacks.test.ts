import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { describeOnEachDeployment, expectSoon } from "./support/deployments.ts";
import { type CallInit, MASTER_KEY, type TestGateway } from "./support/gateway.ts";
import { clientOf, type Resources, startResources } from "./support/resources.ts";

/** Ways round the rules of a key, and round what keeps the operator's secrets from those who make models. */
const ENVIRONMENT = { OF_A_PROVIDER: "value-of-a-provider", LITELLM_SALT_KEY: "value-of-the-gateway" };

describeOnEachDeployment("Rules of keys", (start, kind) => {
  let resources: Resources;
  let gateway: TestGateway;
  beforeAll(async () => {
    resources = await startResources();
    const { url } = resources.simulator;
    gateway = await start({
      environment: ENVIRONMENT,
      config: `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${url}/openai/v1"}}
  - {model_name: film, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${url}/openai/v1"}}
router_settings: {model_group_alias: {quick: gpt, film-alias: film, gpt: film}}
general_settings: {master_key: ${MASTER_KEY}, use_x_forwarded_for: true}
`,
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await resources?.close();
  });

  async function ask(path: string, init: CallInit = {}): Promise<{ status: number; text: string }> {
    const answer = await gateway.call(path, init);
    return { status: answer.status, text: await answer.text() };
  }

  describe("A key that is bound to addresses", () => {
    it("is held to every address that proxies have seen, whatever the caller wrote before them", async () => {
      const key = await gateway.newKey({ allowed_ips: ["10.0.0.0/8", "fd00::/8"] });
      const status = async (addresses: string) =>
        (await ask("/v1/models", { key, headers: { "x-forwarded-for": addresses } })).status;
      for (const allowed of [
        "10.0.0.1",
        " 10.0.0.1 ",
        "::ffff:10.0.0.1",
        "fd00::1",
        "10.0.0.1, 10.2.0.1",
        "10.0.0.1, 127.0.0.1",
      ])
        expect([allowed, await status(allowed)]).toEqual([allowed, 200]);
      for (const refused of [
        "192.0.2.1",
        "10.0.0.1, 192.0.2.1",
        "192.0.2.1, 10.0.0.1",
        "10.0.0.1, 192.0.2.1, 127.0.0.1",
        "127.0.0.1",
        "::1, 127.0.0.1",
        "::ffff:192.0.2.1",
        "010.0.0.1",
        "10.1",
        "10.0.0.1:443",
        "10.0.0.1,",
        "nonsense",
        "",
      ])
        expect([refused, await status(refused)]).toEqual([refused, 403]);
    });

    it("leaves in the audit log the address that a proxy saw", async () => {
      const headers = { "x-forwarded-for": "10.0.0.1, 192.0.2.7" };
      await ask("/budget/new", { body: { budget_id: "seen", max_budget: 1 }, headers });
      expect((await ask("/audit?object_id=seen")).text).toContain('"192.0.2.7"');
    });
  });

  describe("A key whose calls must have a field", () => {
    it("makes no video and no batch without it, whoever runs the rows", async () => {
      const key = await gateway.newKey({ enforced_params: ["metadata.run"] });
      const video = { model: "film", prompt: "a cat", seconds: "4" };
      expect((await ask("/v1/videos", { key, body: video })).status).toBe(400);
      const batch = async (upload: object, body: object): Promise<number> => {
        const row = {
          custom_id: "row",
          method: "POST",
          url: "/v1/chat/completions",
          body: { model: "gpt-4o", messages: [{ role: "user", content: "hello" }], ...body },
        };
        const file = await toFile(Buffer.from(JSON.stringify(row)), "in.jsonl");
        const { id } = await clientOf(gateway, key).files.create({ file, purpose: "batch", ...upload });
        const request = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
        return (await ask("/v1/batches", { key, body: request })).status;
      };
      const before = resources.simulator.received().length;
      for (const upload of [{}, { target_model_names: "gpt" }])
        expect([upload, await batch(upload, {})]).toEqual([upload, 400]);
      const made = resources.simulator.received().slice(before);
      expect(made.filter(({ path }) => path.endsWith("/batches"))).toEqual([]);
      expect(await batch({}, { metadata: { run: "1" } })).toBe(200);
    });
  });

  describe("A key that may call some models", () => {
    it("calls them by the names that lead to them, and no other by these", async () => {
      const messages = [{ role: "user", content: "hello" }];
      const key = await gateway.newKey({ models: ["gpt"] });
      const callAs = async (model: string) => [
        (await ask("/v1/chat/completions", { key, body: { model, messages } })).status,
        (await ask("/v1/messages/count_tokens", { key, body: { model, messages } })).status,
        (await ask("/v1/responses", { key, body: { model, input: "hello" } })).status,
      ];
      // A model's own name hides an alias of that name.
      for (const model of ["gpt", "quick"])
        expect([model, await callAs(model)]).toEqual([model, [200, 200, 200]]);
      expect(await callAs("film-alias")).toEqual([403, 403, 403]);
      await ask("/team/new", { body: { team_id: "narrow", models: ["film"] } });
      const bound = await gateway.newKey({ team_id: "narrow", models: ["gpt", "film"] });
      const status = async (model: string) =>
        (await ask("/v1/chat/completions", { key: bound, body: { model, messages } })).status;
      expect([await status("quick"), await status("gpt")]).toEqual([403, 403]);
    });
  });

  describe("Whoever makes models", () => {
    const made = (litellm_params: JsonObject, model_info: JsonObject = {}) =>
      ask("/model/new", {
        body: { model_name: "made", litellm_params: { model: "openai/x", ...litellm_params }, model_info },
      });

    it("shows nobody what variables hold, and sends the gateway's own nowhere", async () => {
      const { url } = resources.simulator;
      const user = await gateway.newKey({});
      const info = { id: "made", note: "os.environ/OF_A_PROVIDER", version: "os.environ/LITELLM_SALT_KEY" };
      const params = { api_base: `${url}/openai/v1`, api_key: "os.environ/OF_A_PROVIDER" };
      expect((await made(params, info)).status).toBe(200);
      const wrong = await made({ api_base: "os.environ/OF_A_PROVIDER" });
      expect(wrong.status).toBe(400);
      const shown = [wrong.text];
      for (const [path, key] of [
        ["/v1/model/info", user],
        ["/model/info", user],
        ["/v2/model/info", user],
        ["/model_group/info", user],
        ["/v1/model/info", MASTER_KEY],
        ["/credentials/by_model/made", MASTER_KEY],
        ["/audit", MASTER_KEY],
      ] as const)
        shown.push((await ask(path, { key })).text);
      expect(shown.join()).not.toMatch(/value-of-/);
      const messages = [{ role: "user", content: "hello" }];
      const call = () => ask("/v1/chat/completions", { body: { model: "made", messages } });
      expect((await call()).status).toBe(200);
      expect(resources.simulator.received().at(-1)!.headers.authorization).toBe("Bearer value-of-a-provider");
      const changes = { litellm_params: { api_key: "os.environ/LITELLM_SALT_KEY" } };
      await ask("/model/made/update", { method: "PATCH", body: changes });
      await call();
      expect(JSON.stringify(resources.simulator.received())).not.toContain("value-of-the-gateway");
    });

    it("shows of a credential its places alone, whatever the others are called", async () => {
      const secrets = {
        pin: "hidden-1",
        note: "hidden-2",
        connection: "hidden-3",
        nested: { schema: "hidden-4" },
      };
      const places = { api_base: "https://example.com/v1", region_name: "eu" };
      const body = { credential_name: "odd", credential_values: { ...secrets, ...places } };
      expect((await ask("/credentials", { body })).status).toBe(200);
      const viewer = await gateway.newKey({ user_role: "proxy_admin_viewer" });
      // A replica knows what another has made within a second.
      for (const key of [MASTER_KEY, viewer])
        await expectSoon(kind, async () => (await ask("/credentials/by_name/odd", { key })).status, 200);
      for (const path of ["/credentials", "/credentials/by_name/odd", "/audit"])
        expect((await ask(path, { key: viewer })).text).not.toContain("hidden-");
      const shown = JSON.parse((await ask("/credentials/by_name/odd")).text) as JsonObject;
      expect(shown.credential_values).toMatchObject(places);
      // What is sent back as it was shown changes nothing.
      await ask("/credentials/odd", {
        method: "PATCH",
        body: { credential_values: shown.credential_values },
      });
      const copied = { model: "openai/x", litellm_credential_name: "odd" };
      expect((await ask("/model/new", { body: { model_name: "m", litellm_params: copied } })).status).toBe(
        200,
      );
      expect((await ask("/credentials/by_name/odd")).text).toBe(JSON.stringify(shown));
    });
  });
});
