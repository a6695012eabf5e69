import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { spawnTestGateway, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

const GENERATED = "sk-generated-0123456789";
const CONFIGURED = "sk-configured-0123456789";

const folders: string[] = [];
const gateways: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A configuration without a master key unless one is given. */
function config(model: string, keys: readonly string[] = [], masterKey?: string): string {
  const entries = keys.map((key) => `{key: ${key}, models: [nothing]}`);
  return `model_list: [{model_name: ${model}, litellm_params: {model: openai/x, mock_response: hi}}]
general_settings: {${masterKey === undefined ? "" : `master_key: ${masterKey}`}}
keys: [${entries.join(", ")}]
`;
}

function dataDirectory(): string {
  const folder = mkdtempSync(join(tmpdir(), "portico-twins-"));
  folders.push(folder);
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data/master-key"), `${GENERATED}\n`, { mode: 0o600 });
  return join(folder, "data");
}

async function start(text: string, data = dataDirectory()): Promise<TestGateway> {
  const gateway = await startTestGateway({ config: text, dataDirectory: data });
  gateways.push(gateway);
  return gateway;
}

const models = async (gateway: TestGateway): Promise<string> =>
  (await gateway.call("/v1/models", { key: GENERATED })).text();

describe("A key with the text of the generated master key", () => {
  it("is refused at the start", async () => {
    await expect(start(config("m", ["sk-other-0123456789", GENERATED]))).rejects.toThrow(
      "keys[1].key is the master key",
    );
  });

  it.each([
    ["in one process", () => start(config("before"))],
    [
      "by every worker",
      async () => {
        const data = dataDirectory();
        const flags = ["--workers", "2"];
        const gateway = await spawnTestGateway({ config: config("before"), dataDirectory: data, flags });
        gateways.push(gateway);
        return gateway;
      },
    ],
  ])("has the file that brings it refused when it is read again, %s", async (_name, open) => {
    const gateway = await open();
    gateway.writeConfig(config("with-twin", [GENERATED]));
    await until(() => gateway.log().includes("keys[0].key is the master key"));
    for (let call = 0; call < 8; call += 1) expect(await models(gateway)).toContain('"before"');
    gateway.writeConfig(config("after", ["sk-other-0123456789"]));
    await until(async () => (await models(gateway)).includes('"after"'));
  });

  it("may stand in a file that names another master key", async () => {
    const gateway = await start(config("before"));
    gateway.writeConfig(config("after", [GENERATED], CONFIGURED));
    await until(() => gateway.log().match(/configuration loaded/g)?.length === 2);
    const answer = await gateway.call("/key/info", { key: GENERATED });
    expect(((await answer.json()) as { info: object }).info).toMatchObject({ models: ["nothing"] });
  });
});

describe("A key with the text of the master key", () => {
  it.each([
    ["generated", GENERATED, undefined],
    ["configured", CONFIGURED, CONFIGURED],
  ])("is neither made nor renewed to: %s", async (_name, key, configured) => {
    const gateway = await start(config("m", [], configured));
    const call = (path: string, body: object) => gateway.call(path, { body, key });
    const made = (await (await call("/key/generate", {})).json()) as { key: string };
    const attempts: [string, object][] = [
      ["/key/generate", { key }],
      ["/key/service-account/generate", { key, team_id: "t" }],
      ["/key/regenerate", { key: made.key, new_key: key }],
      [`/key/${made.key}/regenerate`, { new_key: key }],
      ["/user/new", { key }],
    ];
    for (const [path, body] of attempts) {
      const { status } = await call(path, body);
      expect([path, status], path).toEqual([path, expect.toSatisfy((code) => code >= 400 && code < 500)]);
    }
    expect((await call("/key/update", { key, models: [] })).status).toBe(404);
    await call("/key/update", { key: made.key, new_key: key });
    expect((await gateway.call("/key/info", { key: made.key })).status).toBe(200);
  });

  it("is told of where it was made before it became one", async () => {
    const data = dataDirectory();
    const first = await start(config("m"), data);
    const twin = "sk-becomes-master-0123456789";
    await first.call("/key/generate", { key: GENERATED, body: { key: twin, key_alias: "narrow" } });
    first.writeConfig(config("m", [], twin));
    await until(() => first.log().includes("a key of the store has the master key's text"));
    expect(first.log()).not.toContain(twin);
  });
});
