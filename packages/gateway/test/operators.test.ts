import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileCache } from "../../../tools/bundles.ts";
import { porticoProgram, startTestGateway, type TestGateway } from "./support/gateway.ts";

const program = await porticoProgram();
const folder = mkdtempSync(join(tmpdir(), "portico-operators-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function portico(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, [...program, ...args], {
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      ...compileCache(),
      PORTICO_DATA_DIR: join(folder, "data"),
      ...environment,
    },
  });
}

function verify(yaml: string, ...flags: string[]) {
  const file = join(folder, "config.yaml");
  writeFileSync(file, yaml);
  const { status, stdout, stderr } = portico(["verify", file, ...flags]);
  return { status, output: stdout + stderr };
}

const models = (params: string) => `model_list: [{model_name: m, litellm_params: {${params}}}]\n`;
const working = models("model: openai/gpt-4o, api_key: x");

describe("every command", () => {
  const commands = [[], ["verify"], ["keys"], ["keys", "create"], ["batch"], ["batch", "run"], ["simulate"]];
  it.each(commands.map((words) => [words.join(" ") || "portico", words] as const))(
    "%s has --help",
    (_, words) => {
      const { status, stdout } = portico([...words, "--help"]);
      expect(status).toBe(0);
      expect(stdout).toMatch(/--help/);
    },
  );

  it("has --help, whichever commands there are", () => {
    const { stderr } = portico(["no-such-command"]);
    const names = /; there are (.+?)\./.exec(stderr)![1]!.split(", ");
    expect(names).toEqual(expect.arrayContaining(["serve", "keys", "verify", "logout"]));
    for (const name of names) {
      const { status, stdout } = portico([name, "--help"]);
      expect([name, status, stdout]).toEqual([name, 0, expect.stringMatching(/portico[\s\S]*--help/)]);
      expect([name, stdout]).toEqual([name, expect.stringContaining("--json")]);
    }
  });

  it.each([
    [["serv", "--port", "1"], "there is no command serv (did you mean serve)"],
    [["verify", "x.yaml", "--modle", "m"], "there is no flag --modle (did you mean --model)"],
    [["keys", "create", "--modles", "m"], "there is no flag --modles (did you mean --models)"],
    [["batch", "run", "f", "--ouput", "o"], "there is no flag --ouput (did you mean --output)"],
    [["verfy", "x.yaml"], "there is no command verfy (did you mean verify)"],
    [["verify"], "portico: verify needs one file, as in portico verify config.yaml"],
    [["batch", "rows.jsonl"], "portico: batch needs run and a file, as in portico batch run"],
    [["import"], "as in portico import litellm postgres://"],
    [["config.yaml"], "portico --config config.yaml serves it"],
  ])("%s is met with what to write instead", (args, message) => {
    const { status, stderr } = portico(args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

/** Files of rules that the guard cannot use, and what is said of them. */
const guardRules: Readonly<Record<string, { text: string; says: string }>> = {
  "no-json": { text: "rules: []", says: "no-json.json are not valid: Unexpected token" },
  "no-rules": { text: "{}", says: "no-rules.json are not valid: " },
  "no-action": {
    text: '{"rules": [{"name": "a", "pattern": "b", "action": "hide"}]}',
    says: "no-action.json are not valid: Invalid value: 'hide'",
  },
  "no-pattern": {
    text: '{"rules": [{"name": "a", "pattern": "(", "action": "mask"}]}',
    says: "The guard's rules have a pattern that is none, of the rule a: Invalid regular expression",
  },
};

/** Hook modules that cannot be loaded, by their names. */
const hookModules = {
  "that-is-no-javascript": { code: "export const preCall = (", says: "cannot be loaded" },
  "that-throws": { code: 'throw "no such thing";', says: "no such thing" },
  "without-a-hook": { code: "export const helper = () => {};", says: "exports none of preCall" },
  "with-a-misspelt-hook": { code: "export const precall = () => {};", says: "did you mean preCall?" },
  "that-imports-nothing-there": { code: 'import "./nope.mjs";', says: "cannot be loaded" },
};

describe("verify", () => {
  beforeAll(() => {
    for (const [name, { code }] of Object.entries(hookModules))
      writeFileSync(join(folder, `${name}.mjs`), code);
    for (const [name, { text }] of Object.entries(guardRules))
      writeFileSync(join(folder, `${name}.json`), text);
  });

  it.each([
    ["no models", "modle_list: []\n", "there are no models"],
    ["an empty file", "", "there are no models"],
    ["an unknown provider", models("model: opnai/gpt-4o, api_key: x"), "did you mean openai?"],
    [
      "an address without http",
      models("model: openai/gpt-4o, api_base: 'localhost:8000/v1'"),
      "write http:// or https:// before it",
    ],
    [
      "another database",
      `${working}general_settings: {database_url: "mysql://x"}\n`,
      "must begin with postgres://",
    ],
    ["azure without an address", models("model: azure/gpt-4o, api_key: x"), "has no api_base"],
    ["a missing hook", `${working}litellm_settings: {callbacks: [./nope.js]}\n`, "there is no file"],
    ...Object.entries(hookModules).map(([name, { says }]) => [
      `a hook module ${name}`,
      `${working}litellm_settings: {callbacks: [./${name}.mjs]}\n`,
      says,
    ]),
    [
      "a hook at an address",
      `${working}litellm_settings: {callbacks: ["https://u:S3CRET@hooks.example/S3CRET/hook.js"]}\n`,
      "callbacks names https://hooks.example/***, but takes a file on this machine",
    ],
    [
      "rules of the guard at an address",
      `${working}litellm_settings: {guard: "https://u:S3CRET@hooks.example/S3CRET/rules.json"}\n`,
      "guard names https://hooks.example/***, but takes a file on this machine",
    ],
    [
      "rules of the guard that cannot be read",
      `${working}litellm_settings: {guard: ./nope.json}\n`,
      "The guard's rules cannot be read (guard): there is no file",
    ],
    [
      "rules of the guard in a folder",
      `${working}litellm_settings: {guard: .}\n`,
      "The guard's rules cannot be read (guard): EISDIR",
    ],
    ...Object.entries(guardRules).map(([name, { says }]) => [
      `rules of the guard ${name}`,
      `${working}litellm_settings: {guard: ./${name}.json}\n`,
      says,
    ]),
    [
      "a master key from nowhere",
      `${working}general_settings: {master_key: os.environ/NOPE}\n`,
      "names an environment variable that is not set",
    ],
    [
      "a key that stands there twice",
      `${working}keys: [{key: sk-12345678}, {key: sk-12345678}]\n`,
      "is the same key as keys[0]",
    ],
    ["a misspelt restriction", `${working}keys: [{key: sk-12345678, modles: [m]}]\n`, "did you mean models?"],
    ["a key that cannot be sent", `${working}keys: [{key: my api key}]\n`, "has a space"],
    [
      "a master key that cannot be sent",
      `${working}general_settings: {master_key: my master key}\n`,
      "general_settings.master_key: has a space",
    ],
    [
      "a key that is the master key",
      `${working}keys: [{key: sk-12345678}]\ngeneral_settings: {master_key: sk-12345678}\n`,
      "keys[0].key: is the master key",
    ],
    [
      "a misspelt model",
      "model_list: [{model_name: m, litellm_params: {modle: x/y}}]\n",
      "did you mean model?",
    ],
    [
      "misspelt parameters",
      "model_list: [{model_name: m, litellm_parms: {model: x/y}}]\n",
      "did you mean litellm_params?",
    ],
    ["an open quote", 'general_settings:\n  master_key: "abc\n', "config.yaml:2:15"],
    [
      "an export without credentials",
      `${working}general_settings: {spend_export: 's3://bucket/a'}\n`,
      "spend_export needs AWS_ACCESS_KEY_ID",
    ],
    [
      "an export to a folder that is none",
      `${working}general_settings: {spend_export: /dev/null/a/b}\n`,
      "general_settings.spend_export: nothing can be written in /dev/null/a/b",
    ],
    [
      "a bucket without credentials",
      `${working}general_settings: {file_bucket: files}\n`,
      "file_storage: s3 needs AWS_ACCESS_KEY_ID",
    ],
    [
      "object storage without a bucket",
      `${working}general_settings: {file_storage: s3}\n`,
      "file_storage: s3 needs general_settings.file_bucket",
    ],
  ])("fails for %s", (_, yaml, message) => {
    const { status, output } = verify(yaml);
    expect(output).toContain(message);
    expect(output).not.toContain("S3CRET");
    expect(status).toBe(1);
  });

  it("passes with warnings, and fails for them with --strict", () => {
    const yaml = `${working}general_settings: {master_key: sk-1234}\n`;
    expect(verify(yaml)).toMatchObject({ status: 0, output: expect.stringContaining("can be guessed") });
    expect(verify(yaml, "--strict").status).toBe(1);
    expect(verify(working, "--strict").status).toBe(0);
  });

  const alerting = (settings: string): string => `${working}general_settings: {${settings}}\n`;

  it.each([
    ["slack without an address", alerting("alerting: [slack]"), "alerting names slack without an address"],
    [
      "webhook without an address",
      alerting("alerting: [webhook]"),
      "webhook without an address: WEBHOOK_URL",
    ],
    ["email without a server", alerting("alerting: [email]"), "without SMTP_HOST"],
    [
      "a channel that nobody knows",
      alerting("alerting: [pager]"),
      "names pager, on which no alerts are sent",
    ],
    [
      "no store",
      `${alerting("alerting: [webhook], store: none")}environment_variables: {WEBHOOK_URL: "https://example.com/"}\n`,
      "without a store no alerts are sent",
    ],
  ])("warns of alerts that would reach nobody: %s", (_name, yaml, message) => {
    expect(verify(yaml)).toMatchObject({ status: 0, output: expect.stringContaining(message) });
    expect(verify(yaml, "--strict").status).toBe(1);
  });

  it("says nothing of alerts that reach somebody, or that nobody wants", () => {
    const address = 'environment_variables: {SLACK_WEBHOOK_URL: "https://example.com/"}\n';
    for (const yaml of [
      `${alerting("alerting: [slack]")}${address}`,
      alerting('alerting: [webhook], alert_to_webhook_url: {budget_alerts: "https://example.com/"}'),
      alerting("alerting: [slack], alert_types: [llm_exceptions]"),
    ])
      expect(verify(yaml).output).not.toContain("general_settings.alerting:");
  });

  it("warns of models that no endpoint calls, and names an unset variable once", () => {
    const entry =
      "{model_name: d, litellm_params: {model: openai/dall-e-3, api_key: os.environ/NOPE}, model_info: {mode: image_generation}}";
    const { output } = verify(`model_list: [${entry}, ${entry}]\n`);
    expect(output).toContain("no endpoint here calls models of the mode image_generation");
    expect(output.split("NOPE is not set")).toHaveLength(2);
  });

  it("takes the file behind --config, and aliases as the gateway does", () => {
    const file = join(folder, "config.yaml");
    writeFileSync(file, `${working}litellm_settings: {model_alias_map: {other: m}}\n`);
    const { status, stdout } = portico(["verify", "--config", file]);
    expect(stdout).toContain("1 deployment, 2 models, 0 warnings, 0 problems");
    expect(status).toBe(0);
    expect(portico(["verify", folder]).stderr).toContain("this is a folder");
  });
});

/** A configuration that exports spend rows to a place; its path. */
function exportTo(place: string): string {
  const file = join(folder, `export-${place.replaceAll("/", "-")}.yaml`);
  writeFileSync(file, `${working}general_settings: {spend_export: "${place}"}\n`);
  return file;
}

describe("a start that cannot succeed", () => {
  // The name that files of a data directory are kept under is taken.
  mkdirSync(join(folder, "taken"));
  writeFileSync(join(folder, "taken/files"), "");

  it.each([
    ["another database", [], { DATABASE_URL: "mysql://x" }, "DATABASE_URL"],
    ["no database server", [], { DATABASE_URL: "postgres://u:pw@127.0.0.1:1/d" }, "check that it runs"],
    ["a file for a folder", ["--data-dir", "/dev/null/data"], {}, "--data-dir"],
    [
      "a file as data directory",
      ["--data-dir", join(folder, "taken/files")],
      { LITELLM_MASTER_KEY: "sk-of-a-test" },
      "is a file; name a folder",
    ],
    ["a folder that cannot be made", ["--data-dir", "/proc/nope"], {}, "--data-dir"],
    [
      "files in a folder that is a file",
      ["--data-dir", join(folder, "taken")],
      {},
      "--data-dir: nothing can be",
    ],
    ...["/dev/null/a", "/proc/a/b", join(folder, "taken/files")].map(
      (place) =>
        [
          `an export to ${place}`,
          ["--config", exportTo(place)],
          {},
          `spend_export: nothing can be written in ${place} (`,
        ] as const,
    ),
    ["an address of another machine", ["--host", "192.0.2.1"], { DATABASE_URL: "none" }, "--host"],
  ] as const)("is explained in one sentence: %s", (_, args, environment, message) => {
    const { status, stderr } = portico(["--port", "0", ...args], environment);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toMatch(/file:\/\/|\.[jt]s:\d|pw@/);
  });
});

describe("whoever asks for the wrong place", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: working, environment: { DATABASE_URL: "none" } });
  });
  afterAll(() => gateway.close());

  it.each([
    ["/v1/chat/completion", "did you mean /v1/chat/completions?"],
    ["/v1/completions", "passes through at /openai/v1/"],
    ["/v1/moderations", "passes through at /openai/v1/"],
    ["/v1/audio/speech", "passes through at /openai/v1/"],
    ["/v1/v1/chat/completions", "the base URL of the client ends in /v1 already"],
  ])("%s is told where to go", async (path, message) => {
    const response = await gateway.call(path, { body: {} });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(message);
  });
});
