import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../util/sha256.ts";
import { loadConfigApart } from "./load-apart.ts";
import { loadConfig } from "./load-config.ts";

/** Something of everything that a configuration holds, in values that are no JSON as well. */
const SETTINGS = `
credential_list:
  - {credential_name: shared, credential_values: {api_key: os.environ/SHARED}}
router_settings: {num_retries: 2, fallbacks: [{model-1: [model-2]}]}
litellm_settings:
  cache: true
  cache_params: {type: local, supported_call_types: [completion, acompletion]}
  callbacks: [otel]
  max_budget: 10
  budget_duration: 30d
environment_variables: {OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318"}
general_settings:
  master_key: sk-master-0123456789
  enable_jwt_auth: true
  litellm_jwtauth: {admin_jwt_scope: admin, user_id_jwt_field: sub}
  pass_through_endpoints: [{path: /rerank, target: "https://example.com/rerank", headers: {a: b}}]
`;

function entries(): string {
  const deployments = Array.from(
    { length: 250 },
    (_, index) =>
      `  - {model_name: model-${index}, litellm_params: {model: openai/a, litellm_credential_name: shared, rpm: ${index + 1}, input_cost_per_token_priority: 0.001}}`,
  );
  const keys = Array.from(
    { length: 120 },
    (_, index) => `  - {key: sk-key-${index}-0123456789, models: [model-${index}], max_budget: 1}`,
  );
  return `model_list:\n${deployments.join("\n")}\nkeys:\n${keys.join("\n")}\n`;
}

describe("loadConfigApart", () => {
  const environment = { SHARED: "secret", JWT_PUBLIC_KEY_URL: "https://example.com/jwks" };
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-"));
    file = join(folder, "config.yaml");
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const apart = (providers?: readonly string[]) =>
    loadConfigApart({ file, environment, commandLine: { requestTimeout: 5 }, providers });

  it("hands over once what many deployments say nothing of", async () => {
    writeFileSync(file, SETTINGS + entries());
    const [one, other] = (await apart()).config.deployments;
    expect(one!.timeouts).toEqual({});
    expect(other!.timeouts).toBe(one!.timeouts);
  });

  it("reads what loadConfig reads", async () => {
    writeFileSync(file, SETTINGS + entries());
    const expected = loadConfig(file, environment, { requestTimeout: 5 });
    expect(expected.config.deployments).toHaveLength(250);
    const read = await apart();
    expect(read).toEqual(expected);
    for (let index = 0; index < 120; index += 1) {
      const hash = sha256(`sk-key-${index}-0123456789`);
      expect(read.config.keys.find(hash)).toMatchObject({
        principal: { keyHash: hash, models: [`model-${index}`] },
      });
    }
    expect((await apart(["anthropic"])).warnings).toHaveLength(expected.warnings.length + 250);
  });

  it("refuses what loadConfig refuses, in the same words", async () => {
    const refusal = (): Error => {
      try {
        loadConfig(file, environment);
      } catch (error) {
        return error as Error;
      }
      throw new Error("It was not refused");
    };
    for (const text of ["model_list: 3", "a: [", "keys: [{key: x}]\nmodle_list: []"]) {
      writeFileSync(file, text);
      const { name, message } = refusal();
      await expect(apart()).rejects.toMatchObject({ name, message });
    }
    rmSync(file);
    await expect(apart()).rejects.toThrow(refusal().message);
  });
});
