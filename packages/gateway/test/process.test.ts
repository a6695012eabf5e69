import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compileCache } from "../../../tools/bundles.ts";
import { type ChildGateway, porticoProgram, spawnTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

const config = (name: string) => `
model_list:
  - model_name: ${name}
    litellm_params: {model: openai/gpt-4o, api_key: x}
`;

const program = await porticoProgram();

describe("the process", () => {
  const running: ChildGateway[] = [];
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-process-"));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((gateway) => gateway.close()));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(options: Parameters<typeof spawnTestGateway>[0]): Promise<ChildGateway> {
    const gateway = await spawnTestGateway(options);
    running.push(gateway);
    return gateway;
  }

  function portico(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [...program, ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, ...compileCache(), PORTICO_DATA_DIR: join(folder, "cli") },
    });
  }

  async function modelsOf(gateway: ChildGateway): Promise<string[]> {
    const { data } = (await (await gateway.call("/v1/models")).json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  }

  it("generates a master key that only its owner can read, and shows it to nobody but a terminal", async () => {
    const dataDirectory = join(folder, "generated");
    const environment = { DATABASE_URL: "none" };
    const text = `${config("m")}\ngeneral_settings: {}\n`;
    const first = await start({ config: text, dataDirectory, environment });
    const file = join(dataDirectory, "master-key");
    expect(first.masterKey).toBe(readFileSync(file, "utf8").trim());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await first.call("/v1/models")).status).toBe(200);
    expect(first.log()).not.toContain(first.masterKey);
    expect(first.log()).toContain(`$(cat ${file})`);
    const second = await start({ config: text, dataDirectory, environment });
    expect(second.log()).toContain(`The master key is kept in ${file}.`);
    expect(second.log()).toContain(`"model":"m"`);
    expect(second.log()).not.toContain(first.masterKey);
    expect((await second.call("/v1/models", { key: first.masterKey })).status).toBe(200);
  });

  it("leaves an SQLite store to the gateway that has it, until that has ended in whichever way", async () => {
    const dataDirectory = join(folder, "shared");
    const first = await start({ config: config("m"), dataDirectory });
    await expect(start({ config: config("m"), dataDirectory })).rejects.toThrow(
      /portico: another gateway runs in the data directory \S+, and .* DATABASE_URL .*\.\n/,
    );
    expect((await first.call("/v1/models")).status).toBe(200);
    first.process.kill("SIGKILL");
    await first.exited;
    const second = await start({ config: config("m"), dataDirectory });
    expect(await modelsOf(second)).toEqual(["m"]);
  });

  it("takes a changed file over on SIGHUP, keeps the old one when it is broken, and ends with 0 on SIGINT", async () => {
    const gateway = await start({ config: config("before") });
    gateway.writeConfig("model_list: {broken");
    gateway.process.kill("SIGHUP");
    await until(() => gateway.log().includes("stays in force"));
    expect(await modelsOf(gateway)).toEqual(["before"]);
    gateway.writeConfig(config("after"));
    await until(async () => (await modelsOf(gateway)).includes("after"));
    gateway.process.kill("SIGINT");
    expect(await gateway.exited).toBe(0);
  });

  it("manages keys from the command line while a gateway runs", async () => {
    const gateway = await start({ config: config("m"), dataDirectory: join(folder, "cli") });
    const made = portico("keys", "create", "--alias", "cli", "--rpm", "5", "--models", "m,other");
    expect(made.status).toBe(0);
    const key = made.stdout.trim();
    await until(async () => (await gateway.call("/v1/models", { key })).status === 200);
    expect(JSON.parse(portico("keys", "list").stdout)).toMatchObject({ key_alias: "cli", rpm_limit: 5 });
    expect(portico("keys", "delete", "cli").stdout).toBe("1 of 1 keys deleted\n");
    await until(async () => (await gateway.call("/v1/models", { key })).status === 401);
  });

  it("verifies a configuration and says what its models resolve to", () => {
    const file = join(folder, "verify.yaml");
    writeFileSync(file, config("gpt"));
    const { status, stdout } = portico("verify", file);
    expect(stdout).toContain("openai/gpt-4o");
    expect(status).toBe(0);
    writeFileSync(file, `${config("gpt")}router_settings: {fallbacks: [{gpt: [missing]}]}\n`);
    const leading = portico("verify", file);
    expect(leading.status).toBe(1);
    expect(leading.stdout).toContain("problem: gpt: the fallback missing leads to no deployment");
    writeFileSync(file, "router_settings: {num_retries: lots}\n");
    const broken = portico("verify", file);
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain(`${file}:1:19: router_settings.num_retries: expected a number`);
  });

  it("says in one sentence what is wrong with its start", () => {
    expect(portico("--prot", "1")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("did you mean --port"),
    });
    expect(portico("--config", "missing.yaml")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no such file"),
    });
    expect(portico("nonsense")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no command nonsense"),
    });
    expect(portico("--help").stdout).toContain("Usage: portico");
  });
});
