import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startCollector } from "./support/otlp-collector.ts";
import { until } from "./support/until.ts";

type Collector = Awaited<ReturnType<typeof startCollector>>;
type Json = Record<string, never>;

const SECRET = "sk-lf-of-the-team";
const OPERATORS = "sk-collector-secret";

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let general: Collector;
let blue: Collector;
let green: Collector;
const gateways: TestGateway[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());
beforeEach(async () => {
  [general, blue, green] = await Promise.all([startCollector(), startCollector(), startCollector()]);
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  for (const each of [general, blue, green]) each.close();
});

async function start(settings = "allow_private_networks: true", environment = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: plain, litellm_params: {model: hosted_vllm/m, api_key: k, api_base: "${simulator.url}/compat/v1"}}
  - {model_name: broken, litellm_params: {model: openai/gpt-4o, api_key: x, api_base: "http://127.0.0.1:9/v1"}}
router_settings: {num_retries: 0, disable_cooldowns: true}
gateway_settings: {${settings}}
general_settings: {master_key: ${MASTER_KEY}}
`,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: general.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-token=${OPERATORS}`,
      OTEL_BSP_SCHEDULE_DELAY: "20",
      LANGFUSE_PUBLIC_KEY: "pk-operator",
      LANGFUSE_SECRET_KEY: "sk-operator",
      LANGFUSE_HOST: general.url,
      OTEL_SERVICE_NAME: OPERATORS,
      OTEL_RESOURCE_ATTRIBUTES: `host.name=${OPERATORS}`,
      ...environment,
    },
  });
  gateways.push(gateway);
  return gateway;
}

async function send(gateway: TestGateway, path: string, body?: object, key = MASTER_KEY, method?: string) {
  const answer = await gateway.call(path, { ...(body && { body }), key, ...(method && { method }) });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Json };
}

/** A team with a key that calls. */
async function team(gateway: TestGateway, team_id: string): Promise<string> {
  await send(gateway, "/team/new", {
    team_id,
    members_with_roles: [{ user_id: `${team_id}-admin`, role: "admin" }],
  });
  return keyOf(gateway, { team_id });
}

async function keyOf(gateway: TestGateway, fields: object): Promise<string> {
  return (await send(gateway, "/key/generate", fields)).body.key!;
}

function give(gateway: TestGateway, id: string, host: string, more: object = {}, key = MASTER_KEY) {
  const callback_vars = { langfuse_public_key: "pk", langfuse_secret_key: SECRET, langfuse_host: host };
  const body = { callback_name: "langfuse", callback_type: "success_and_failure", callback_vars, ...more };
  return send(gateway, `/team/${id}/callback`, body, key);
}

async function ask(gateway: TestGateway, key: string, model = "plain", stream = false): Promise<number> {
  const body = { model, stream, messages: [{ role: "user", content: "hi" }] };
  const answer = await gateway.call("/v1/chat/completions", { body, key });
  await answer.text();
  return answer.status;
}

const teamsIn = ({ spans }: Collector) => [
  ...new Set(spans.map(({ attributes }) => attributes["portico.team.id"]).filter(Boolean)),
];
const attempts = ({ spans }: Collector) => spans.filter(({ kind }) => kind === 3);

/** Ends the gateways: every span that is to go anywhere is there then. */
async function end(): Promise<void> {
  for (const gateway of gateways.splice(0)) await gateway.close();
}

describe("A team's own callbacks", () => {
  it("get the spans of its calls and of no other's, and nothing of the operator's secrets", async () => {
    const gateway = await start();
    const keys = [await team(gateway, "blue"), await team(gateway, "green"), await team(gateway, "none")];
    expect((await give(gateway, "blue", blue.url)).status).toBe(200);
    expect((await give(gateway, "green", green.url)).status).toBe(200);
    for (const [index, key] of keys.entries())
      expect(await ask(gateway, key, "plain", index === 0)).toBe(200);
    await end();
    expect(teamsIn(blue)).toEqual(["blue"]);
    expect(teamsIn(green)).toEqual(["green"]);
    expect(attempts(blue)).toHaveLength(1);
    expect(attempts(green)).toHaveLength(1);
    expect(general.requests).toEqual([]);
    for (const { path, headers, bytes } of blue.requests) {
      expect(path).toBe("/api/public/otel/v1/traces");
      expect(bytes.includes(OPERATORS)).toBe(false);
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`pk:${SECRET}`).toString("base64")}`);
      expect(JSON.stringify(headers)).not.toContain(OPERATORS);
    }
    expect(blue.faults).toEqual([]);
  });

  it("stand in place of the configuration's for the same service, and beside those for another", async () => {
    const gateway = await start("allow_private_networks: true, callbacks: [langfuse_otel, otel]");
    const key = await team(gateway, "blue");
    await give(gateway, "blue", blue.url);
    expect(await ask(gateway, key)).toBe(200);
    await end();
    expect(attempts(blue)).toHaveLength(1);
    const ofTeam = general.spans.filter(({ attributes }) => attributes["portico.team.id"] === "blue");
    expect(ofTeam).toHaveLength(1);
    const paths = general.requests
      .filter(({ bytes }) => bytes.includes("hosted_vllm"))
      .map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(["/v1/traces"]));
  });

  it("are for calls that succeed, or for those that fail", async () => {
    const gateway = await start();
    const key = await team(gateway, "blue");
    await give(gateway, "blue", blue.url, { callback_type: "success" });
    await give(gateway, "blue", green.url, { callback_type: "failure" });
    expect(await ask(gateway, key)).toBe(200);
    expect(await ask(gateway, key, "broken")).toBeGreaterThanOrEqual(500);
    await end();
    expect(attempts(blue).map(({ status }) => status)).toEqual([0]);
    expect(attempts(green).map(({ status }) => status)).toEqual([2]);
  });

  it("come from default_team_settings where the team has been given none, wherever they lead", async () => {
    const of = (team: string, list: string, { url }: Collector): string =>
      `{team_id: ${team}, ${list}: [langfuse], langfuse_public_key: pk, langfuse_secret: os.environ/TEAMS_SECRET, langfuse_host: "${url}"}`;
    const teams = `[${of("blue", "success_callback", blue)}, ${of("green", "failure_callback", green)}]`;
    const gateway = await start(`callbacks: [otel], default_team_settings: ${teams}`, {
      TEAMS_SECRET: SECRET,
    });
    const keys = [await team(gateway, "blue"), await team(gateway, "green"), await team(gateway, "none")];
    for (const key of keys) {
      expect(await ask(gateway, key)).toBe(200);
      expect(await ask(gateway, key, "broken")).toBeGreaterThanOrEqual(500);
    }
    await end();
    expect([teamsIn(blue), attempts(blue).map(({ status }) => status)]).toEqual([["blue"], [0]]);
    expect([teamsIn(green), attempts(green).map(({ status }) => status)]).toEqual([["green"], [2]]);
    expect(teamsIn(general).toSorted()).toEqual(["blue", "green", "none"]);
    for (const { headers } of blue.requests)
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`pk:${SECRET}`).toString("base64")}`);
  });

  it("of the team itself, or its disabled logging, stand in place of default_team_settings", async () => {
    const of = (id: string): string =>
      `{team_id: ${id}, success_callback: [langfuse], callback_vars: {langfuse_public_key: pk, langfuse_secret_key: s, langfuse_host: "${general.url}"}}`;
    const gateway = await start(
      `allow_private_networks: true, default_team_settings: [${of("blue")}, ${of("green")}]`,
    );
    const keys = [await team(gateway, "blue"), await team(gateway, "green")];
    await give(gateway, "blue", blue.url);
    await send(gateway, "/team/green/disable_logging", {});
    for (const key of keys) expect(await ask(gateway, key)).toBe(200);
    await end();
    expect(attempts(blue)).toHaveLength(1);
    expect(general.requests).toEqual([]);
  });

  it("are gone at once when logging is disabled, with those of the configuration, and come back one by one", async () => {
    const gateway = await start("allow_private_networks: true, callbacks: [otel]");
    const key = await team(gateway, "blue");
    await give(gateway, "blue", blue.url);
    expect(await send(gateway, "/team/blue/disable_logging", {})).toMatchObject({
      status: 200,
      body: {
        status: "success",
        message: "Logging disabled for team blue",
        data: { team_id: "blue", success_callbacks: [], failure_callbacks: [] },
      },
    });
    await ask(gateway, key);
    await give(gateway, "blue", green.url);
    await ask(gateway, key);
    const removed = await send(gateway, "/team/blue/callback/langfuse", undefined, MASTER_KEY, "DELETE");
    expect(removed).toMatchObject({ status: 200, body: { data: { success_callbacks: [] } } });
    expect(
      await send(gateway, "/team/blue/callback/langfuse", undefined, MASTER_KEY, "DELETE"),
    ).toMatchObject({
      status: 404,
    });
    await ask(gateway, key);
    await end();
    expect(blue.requests).toEqual([]);
    expect(attempts(green)).toHaveLength(1);
    // The second call, beside the team's own, and the third.
    expect(attempts(general)).toHaveLength(2);
  });

  it("are shown without what is secret, to administrators alone", async () => {
    const gateway = await start();
    await team(gateway, "blue");
    const admin = await keyOf(gateway, { user_id: "blue-admin" });
    await send(gateway, "/team/member_add", { team_id: "blue", member: { user_id: "member", role: "user" } });
    const member = await keyOf(gateway, { user_id: "member" });
    await team(gateway, "green");
    const foreign = await keyOf(gateway, { user_id: "green-admin" });
    const added = await give(gateway, "blue", blue.url, {}, admin);
    expect(added.status).toBe(200);
    const listed = await send(gateway, "/team/blue/callback", undefined, admin);
    expect(listed.body).toEqual({
      status: "success",
      data: {
        team_id: "blue",
        success_callbacks: ["langfuse"],
        failure_callbacks: ["langfuse"],
        callback_vars: {
          langfuse_public_key: "********",
          langfuse_secret_key: "********",
          langfuse_host: blue.url,
        },
      },
    });
    const shown = await Promise.all(
      [
        "/team/info?team_id=blue",
        "/team/list",
        "/v2/team/list",
        "/audit",
        "/user/info?user_id=blue-admin",
      ].map((path) => send(gateway, path)),
    );
    for (const { status, text } of [added, listed, ...shown]) {
      expect(status).toBe(200);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain("sealed:v1");
    }
    for (const key of [member, foreign]) {
      expect([403, 404]).toContain((await give(gateway, "blue", green.url, {}, key)).status);
      expect([403, 404]).toContain((await send(gateway, "/team/blue/callback", undefined, key)).status);
      expect([403, 404]).toContain((await send(gateway, "/team/blue/disable_logging", {}, key)).status);
      const path = "/team/blue/callback/langfuse";
      expect([403, 404]).toContain((await send(gateway, path, undefined, key, "DELETE")).status);
    }
    expect(gateway.log()).not.toContain(SECRET);
  });

  it("are refused, with a message that names what is wrong", async () => {
    const gateway = await start();
    await team(gateway, "blue");
    const wrong: readonly [string, object, string][] = [
      ["a name that is none", { callback_name: "langfusee" }, "did you mean langfuse?"],
      ["a service that gets no spans", { callback_name: "s3" }, "callback_name"],
      ["a variable that is none", { callback_vars: { langfuse_secret_kye: "x" } }, "langfuse_secret_key"],
      [
        "a secret that is missing",
        { callback_vars: { langfuse_public_key: "x" } },
        "needs langfuse_secret_key",
      ],
      ["a collector without an address", { callback_name: "otel", callback_vars: {} }, "needs otel_endpoint"],
      [
        "a variable of the operator's",
        {
          callback_vars: { langfuse_public_key: "x", langfuse_secret_key: "os.environ/LANGFUSE_SECRET_KEY" },
        },
        "the value itself",
      ],
      ["a type that is none", { callback_type: "sometimes" }, "callback_type"],
    ];
    for (const [what, body, message] of wrong) {
      const { status, text } = await give(gateway, "blue", blue.url, body);
      expect(status, what).toBe(400);
      expect(text).toContain(message);
    }
  });

  it("lead into no private network, unless that is allowed", async () => {
    const gateway = await start("num_retries: 0");
    await team(gateway, "blue");
    for (const host of [blue.url, "http://169.254.169.254", "http://localhost:4318", "http://[::1]"])
      expect(await give(gateway, "blue", host)).toMatchObject({ status: 400 });
    expect(await give(gateway, "blue", "https://u:p@example.com")).toMatchObject({ status: 400 });
    expect(await give(gateway, "blue", "https://example.com/?key=x")).toMatchObject({ status: 400 });
    expect(await give(gateway, "blue", "ftp://example.com")).toMatchObject({ status: 400 });
  });

  it("lead nowhere by a name that leads into a private network", async () => {
    let connections = 0;
    const within = createServer();
    servers.push(within);
    within.on("connection", () => connections++);
    await new Promise<void>((resolve) => within.listen(0, resolve));
    const gateway = await start("num_retries: 0");
    const key = await team(gateway, "blue");
    const { port } = within.address() as AddressInfo;
    expect(await give(gateway, "blue", `http://${hostname()}:${port}`)).toMatchObject({ status: 200 });
    expect(await ask(gateway, key)).toBe(200);
    await end();
    expect(connections).toBe(0);
  });

  it("are refused with an address or a header that nothing can be sent with", async () => {
    const gateway = await start();
    await team(gateway, "blue");
    for (const host of ["ftp://127.0.0.1:1", "https://u:p@example.com", "https://example.com/#x", "http://"])
      expect(await give(gateway, "blue", host), host).toMatchObject({ status: 400 });
    const headers = [
      "host=a.example",
      "Transfer-Encoding=chunked",
      "content-length=0",
      "a b=c",
      "x-key=\u00e4",
    ];
    for (const otel_headers of headers) {
      const callback_vars = { otel_endpoint: blue.url, otel_headers };
      const { status } = await give(gateway, "blue", "", { callback_name: "otel", callback_vars });
      expect(status, otel_headers).toBe(400);
    }
  });

  it("go to a collector with the team's headers and without the operator's", async () => {
    const gateway = await start();
    const key = await team(gateway, "blue");
    const callback_vars = { otel_endpoint: blue.url, otel_headers: "x-tenant=blue" };
    await give(gateway, "blue", "", { callback_name: "otel", callback_vars });
    expect(await ask(gateway, key)).toBe(200);
    await end();
    expect(attempts(blue)).toHaveLength(1);
    for (const { headers } of blue.requests) {
      expect(headers).toMatchObject({ "x-tenant": "blue" });
      expect(headers["x-token"]).toBeUndefined();
    }
  });

  it("delay no call that do not answer", async () => {
    const silent = createServer(() => {});
    servers.push(silent);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const asked = new Promise((resolve) => silent.once("request", resolve));
    const gateway = await start(undefined, { OTEL_EXPORTER_OTLP_TIMEOUT: "100" });
    const key = await team(gateway, "blue");
    await give(gateway, "blue", `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    expect(await ask(gateway, key)).toBe(200);
    await asked;
    // The first spans are on their way still.
    expect(await ask(gateway, key)).toBe(200);
    silent.closeAllConnections();
  });

  it("are in force at once for a key that has called before", async () => {
    const gateway = await start();
    const key = await team(gateway, "blue");
    await ask(gateway, key);
    await give(gateway, "blue", blue.url);
    await ask(gateway, key);
    await until(() => attempts(blue).length === 1);
    await end();
    expect(attempts(blue)).toHaveLength(1);
  });
});

describe("metadata.logging", () => {
  const vars = (host: string) => ({
    langfuse_public_key: "pk",
    langfuse_secret_key: SECRET,
    langfuse_host: host,
  });
  const loggingAt = (host: string) => [{ callback_name: "langfuse", callback_vars: vars(host) }];
  const masked = (host: string) => [
    {
      callback_name: "langfuse",
      callback_type: "success_and_failure",
      callback_vars: { ...vars(host), langfuse_public_key: "********", langfuse_secret_key: "********" },
    },
  ];

  it("of a key stands in place of its team's, and is shown and kept without secrets", async () => {
    const gateway = await start();
    await team(gateway, "blue");
    await give(gateway, "blue", blue.url);
    const made = await send(gateway, "/key/generate", {
      team_id: "blue",
      metadata: { note: "kept", logging: loggingAt(green.url) },
    });
    expect(made).toMatchObject({
      status: 200,
      body: { metadata: { note: "kept", logging: masked(green.url) } },
    });
    const key = made.body.key!;
    expect(await ask(gateway, key)).toBe(200);
    // Tags are put beside it, and what was read may be sent back.
    const changed = await send(gateway, "/key/update", { key, tags: ["one"] });
    expect(changed.body).toMatchObject({ metadata: { tags: ["one"], logging: masked(green.url) } });
    const { metadata } = changed.body;
    expect(await send(gateway, "/key/update", { key, metadata })).toMatchObject({
      status: 200,
      body: { metadata },
    });
    expect(await ask(gateway, key)).toBe(200);
    const renewed = await send(gateway, "/key/regenerate", { key });
    expect(await ask(gateway, renewed.body.key!)).toBe(200);
    const shown = await Promise.all(
      ["/key/list?return_full_object=true", "/audit", "/team/info?team_id=blue", "/spend/logs"].map((path) =>
        send(gateway, path),
      ),
    );
    for (const { status, text } of [made, changed, renewed, ...shown]) {
      expect(status).toBe(200);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain("sealed:v1");
    }
    await end();
    expect(attempts(green)).toHaveLength(3);
    for (const { headers } of green.requests)
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`pk:${SECRET}`).toString("base64")}`);
    expect(attempts(blue)).toEqual([]);
  });

  it("sends masked secrets to no other address", async () => {
    const gateway = await start();
    await team(gateway, "blue");
    const { key } = (
      await send(gateway, "/key/generate", { team_id: "blue", metadata: { logging: loggingAt(green.url) } })
    ).body;
    const elsewhere = { metadata: { logging: masked(general.url) } };
    expect(await send(gateway, "/key/update", { key, ...elsewhere })).toMatchObject({ status: 400 });
    await give(gateway, "blue", blue.url);
    expect(await send(gateway, "/team/update", { team_id: "blue", ...elsewhere })).toMatchObject({
      status: 400,
    });
  });

  it("of a key does not switch on what its team has switched off", async () => {
    const gateway = await start("allow_private_networks: true, callbacks: [otel]");
    await team(gateway, "blue");
    await send(gateway, "/team/blue/disable_logging", {});
    const key = await keyOf(gateway, { team_id: "blue", metadata: { logging: loggingAt(green.url) } });
    expect(await ask(gateway, key)).toBe(200);
    await end();
    expect(attempts(green)).toEqual([]);
    expect(attempts(general)).toEqual([]);
  });

  it("of a key is for whoever administers it, not for its owner", async () => {
    const gateway = await start();
    await team(gateway, "blue");
    const admin = await keyOf(gateway, { user_id: "blue-admin" });
    await send(gateway, "/user/new", { user_id: "owner", user_role: "internal_user" });
    const owner = await keyOf(gateway, { user_id: "owner" });
    const metadata = { logging: loggingAt(green.url) };
    expect(await send(gateway, "/key/generate", { metadata }, owner)).toMatchObject({ status: 403 });
    expect(await send(gateway, "/key/update", { key: owner, metadata }, owner)).toMatchObject({
      status: 403,
    });
    expect(
      await send(gateway, "/key/generate", { metadata, team_id: "blue", user_id: "blue-admin" }, admin),
    ).toMatchObject({ status: 200 });
  });

  it("of a team is the same as its callbacks, and other metadata leaves them as they are", async () => {
    const gateway = await start();
    await send(gateway, "/team/new", { team_id: "blue", metadata: { logging: loggingAt(blue.url) } });
    const listed = await send(gateway, "/team/blue/callback");
    expect(listed.body).toMatchObject({ data: { success_callbacks: ["langfuse"] } });
    await send(gateway, "/team/update", { team_id: "blue", metadata: { note: "new" } });
    const shown = await send(gateway, "/team/info?team_id=blue");
    expect(shown.text).not.toContain(SECRET);
    expect(shown.body).toMatchObject({
      team_info: { metadata: { note: "new", logging: masked(blue.url) } },
    });
    expect(await ask(gateway, await keyOf(gateway, { team_id: "blue" }))).toBe(200);
    await send(gateway, "/team/update", { team_id: "blue", metadata: { logging: null } });
    expect((await send(gateway, "/team/blue/callback")).body).toMatchObject({
      data: { success_callbacks: [] },
    });
    await end();
    expect(attempts(blue)).toHaveLength(1);
  });

  it("is refused as what it is not, for keys and teams alike", async () => {
    const gateway = await start("num_retries: 0");
    await team(gateway, "blue");
    const wrong: readonly [string, unknown][] = [
      ["no list", "langfuse"],
      ["a list of names", ["langfuse"]],
      ["an entry of a stranger", [{ callback_name: "s3", callback_vars: {} }]],
      ["an address within", loggingAt("http://127.0.0.1:1")],
    ];
    for (const [what, logging] of wrong)
      for (const [path, more] of [
        ["/key/generate", {}],
        ["/team/new", {}],
        ["/team/update", { team_id: "blue" }],
      ] as const)
        expect(await send(gateway, path, { ...more, metadata: { logging } }), what).toMatchObject({
          status: 400,
        });
  });
});
