import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";
import { until } from "./support/until.ts";

describe.each([
  ["SQLite", {}],
  ["no store", { DATABASE_URL: "none" }],
])("What LiteLLM's configuration refuses of calls, on %s", (_, environment) => {
  let provider: TokenProvider;
  let gateway: TestGateway;
  let folder = "";
  beforeAll(async () => {
    provider = await startProvider();
    folder = mkdtempSync(join(tmpdir(), "portico-lists-"));
  });
  afterEach(() => gateway?.close());
  afterAll(() => {
    provider?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const configOf = (settings: string, general = ""): string => `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x}}
general_settings: {master_key: sk-test-master-key-0123456789${general}}
litellm_settings: {${settings}}
`;
  const start = async (settings: string, general?: string): Promise<void> => {
    gateway = await startTestGateway({ config: configOf(settings, general), environment });
  };

  const bodies = {
    "/v1/chat/completions": { model: "m", messages: [{ role: "user", content: "hello" }] },
    "/v1/messages": { model: "m", max_tokens: 10, messages: [{ role: "user", content: "hello" }] },
    "/v1/responses": { model: "m", input: "hello" },
    "/v1beta/models/m:generateContent": { contents: [{ role: "user", parts: [{ text: "hello" }] }] },
  } as const;
  type Path = keyof typeof bodies;
  const paths = Object.keys(bodies) as Path[];

  async function call(path: Path, fields: object = {}, headers: Record<string, string> = {}) {
    const answer = await gateway.call(path, { body: { ...bodies[path], ...fields }, headers });
    return { status: answer.status, text: await answer.text() };
  }

  it.each([
    ["a list", () => 'blocked_user_list: [mallory, 42], callbacks: ["blocked_user_check"]'],
    [
      "a file",
      () => {
        writeFileSync(join(folder, "blocked.txt"), "mallory\r\n\n42 \n");
        return `blocked_user_list: "${join(folder, "blocked.txt")}"`;
      },
    ],
  ])("is a customer of blocked_user_list, in %s", async (_kind, settings) => {
    await start(settings());
    expect(gateway.log()).not.toContain("blocked_user_check");
    for (const path of paths) {
      const naming = path === "/v1/messages" ? { metadata: { user_id: "mallory" } } : { user: "mallory" };
      expect((await call(path, naming)).status, path).toBe(403);
      expect((await call(path, {}, { "x-litellm-customer-id": "42" })).status, path).toBe(403);
      expect((await call(path, {}, { "x-litellm-customer-id": "alice" })).status, path).toBe(200);
      expect((await call(path)).status, path).toBe(200);
    }
    gateway.writeConfig(configOf("blocked_user_list: [alice]"));
    await until(async () => (await call("/v1/chat/completions", { user: "alice" })).status === 403);
    expect((await call("/v1/chat/completions", { user: "mallory" })).status).toBe(200);
  });

  it("is a text with a word of banned_keywords_list", async () => {
    await start('banned_keywords_list: ["HELL", "c++", "(a|b)"], callbacks: ["banned_keywords"]');
    expect(gateway.log()).toContain("NOT ENFORCED here for answers");
    for (const path of paths) {
      const refused = await call(path);
      expect(refused.status, path).toBe(400);
      expect(refused.text).not.toContain("HELL");
    }
    const said = (content: string) =>
      call("/v1/chat/completions", { messages: [{ role: "user", content }] }).then(({ status }) => status);
    expect(await said("I write C++")).toBe(400);
    expect(await said("a or b, c")).toBe(200);
  });

  /** The same text in two pieces, in each place of each format. */
  const split = (a: string, b: string): [Path, object][] => {
    const parts = (type: string) => [
      { type, text: a },
      { type, text: b },
    ];
    const user = (content: unknown) => ({ role: "user", content });
    return [
      ["/v1/chat/completions", { messages: [user(parts("text"))] }],
      ["/v1/chat/completions", { messages: [user(a), user(b)] }],
      [
        "/v1/chat/completions",
        {
          messages: [
            user([
              parts("text")[0],
              { type: "image_url", image_url: { url: "https://x/y" } },
              parts("text")[1],
            ]),
          ],
        },
      ],
      ["/v1/messages", { messages: [user(parts("text"))] }],
      ["/v1/messages", { messages: [user(a), user(parts("text").slice(1))] }],
      ["/v1/messages", { system: parts("text"), messages: [user("x")] }],
      ["/v1/responses", { input: [user(parts("input_text"))] }],
      ["/v1/responses", { input: [user(a), user(b)] }],
      [
        "/v1beta/models/m:generateContent",
        { contents: [{ role: "user", parts: [{ text: a }, { text: b }] }] },
      ],
      ["/v1beta/models/m:generateContent", { systemInstruction: { parts: [{ text: a }, { text: b }] } }],
    ];
  };

  it("is such a word in pieces, too", async () => {
    await start('banned_keywords_list: ["forbidden"]');
    for (const [path, fields] of split("what is forb", "idden here"))
      expect((await call(path, fields)).status, JSON.stringify(fields)).toBe(400);
    for (const [path, fields] of split("what is forb", " idden here"))
      expect((await call(path, fields)).status, JSON.stringify(fields)).toBe(200);
    // Between them somebody else speaks.
    const turns = ["user", "assistant", "user"].map((role, at) => ({
      role,
      content: ["forb", "yes", "idden"][at],
    }));
    expect((await call("/v1/chat/completions", { messages: turns })).status).toBe(200);
  });

  it("is a call without a customer, with enforce_user_param", async () => {
    const mappings = "[{header_name: X-Customer, litellm_user_role: customer}]";
    await start("", `, enforce_user_param: true, user_header_mappings: ${mappings}`);
    for (const path of paths)
      for (const header of ["x-customer", "x-litellm-end-user-id", "x-litellm-customer-id"]) {
        expect((await call(path, {}, { [header]: "alice" })).status, `${path} ${header}`).toBe(200);
        expect((await call(path, {}, { [header]: " " })).status, `${path} ${header}`).toBe(400);
      }
    for (const path of paths) expect((await call(path)).status, path).toBe(400);
    expect((await call("/v1/chat/completions", { user: "alice" })).status).toBe(200);
    expect((await call("/v1/chat/completions", { user: " " })).status).toBe(400);
    for (const nobody of [{ a: 1 }, ["alice"], true])
      expect((await call("/v1/chat/completions", { litellm_metadata: { user: nobody } })).status).toBe(400);
    expect((await call("/v1/messages", { metadata: { user_id: "alice" } })).status).toBe(200);
    expect((await call("/v1/responses", { safety_identifier: "alice" })).status).toBe(200);
    expect((await gateway.call("/v1/models")).status).toBe(200);
  });

  it("is a call that names tags, with reject_clientside_metadata_tags", async () => {
    await start("", ", reject_clientside_metadata_tags: true");
    for (const path of paths) {
      expect((await call(path, {}, { "x-litellm-tags": "a" })).status, path).toBe(400);
      expect((await call(path)).status, path).toBe(200);
    }
    for (const fields of [
      { metadata: { tags: ["a"] } },
      { litellm_metadata: { tags: ["a"] } },
      { tags: ["a"] },
    ])
      expect((await call("/v1/chat/completions", fields)).status, JSON.stringify(fields)).toBe(400);
  });
});

it("refuses a list whose file is not there", async () => {
  const config = "model_list: []\nlitellm_settings: {blocked_user_list: no-such-file.txt}\n";
  await expect(startTestGateway({ config })).rejects.toThrow("no such file");
});

it("keeps customers out of the spend log with disable_end_user_cost_tracking, and holds them all the same", async () => {
  const provider = await startProvider();
  const gateway = await startTestGateway({
    config: `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, input_cost_per_token: 0.00001, output_cost_per_token: 0.00001}}
general_settings: {master_key: sk-test-master-key-0123456789}
litellm_settings: {disable_end_user_cost_tracking: true, max_end_user_budget: 0.001}
`,
  });
  const call = async () => {
    const messages = [{ role: "user", content: "x" }];
    const body = { model: "m", max_tokens: 100, user: "somebody-private", messages };
    return (await gateway.call("/v1/chat/completions", { body })).status;
  };
  expect([await call(), await call()]).toEqual([200, 402]);
  const logs = await (await gateway.call("/spend/logs")).text();
  expect((JSON.parse(logs) as { data: unknown[] }).data.length).toBeGreaterThan(0);
  expect(logs).not.toContain("somebody-private");
  await gateway.close();
  provider.close();
});
