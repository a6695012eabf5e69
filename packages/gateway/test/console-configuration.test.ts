import { describe, expect, it } from "vitest";
import { startTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Each stands for a secret somewhere in the file. */
const SECRETS = [
  "sk-provider-0123456789",
  "sk-test-master-key-0123456789",
  "sk-of-a-caller-0123456789",
  "user-of-the-database",
  "secret-of-an-integration",
  "4711081512",
  "in-a-comment",
  "bearer-of-a-header",
  "behind-a-webhooks-host",
  "under-a-misspelt-name",
];

const config = (model: string) => `# in-a-comment
model_list:
  - model_name: ${model}
    litellm_params:
      model: openai/m
      api_key: sk-provider-0123456789
      api_base: https://user-of-the-database:x@example.com/v1
      extra_headers: {x-team: bearer-of-a-header}
  - {model_name: other, litellm_params: {model: openai/m, api_key: os.environ/OPENAI_API_KEY, max_tokens: 77}}
general_settings:
  master_key: sk-test-master-key-0123456789
  alert_to_webhook_url: {budget_alerts: https://slack.example.com/services/behind-a-webhooks-host}
  mastr_kye: under-a-misspelt-name
  databse_url: postgres://user-of-the-database:x@db.example.com/under-a-misspelt-name?pasword=under-a-misspelt-name
  redis_pasword: under-a-misspelt-name
  webhok_url: https://other.example.com/?behind-a-webhooks-host
callback_settings:
  mine: {callback_type: generic_api, endpoint: "https://records.example.com/behind-a-webhooks-host?x=1"}
environment_variables: {SLACK_WEBHOOK_URL: "https://hooks.example.com/secret-of-an-integration"}
keys:
  - {key: sk-of-a-caller-0123456789, models: [other]}
`;

interface Shown {
  readonly text: string;
  readonly rejected?: { readonly text: string | null; readonly problems: readonly string[] };
}

describe("GET /ui/configuration", () => {
  it("shows the file in force and what was not taken of a change, and no secret of either", async () => {
    const gateway = await startTestGateway({ config: config("first"), environment: { OPENAI_API_KEY: "x" } });
    const shown = async (): Promise<Shown> => {
      const text = await (await gateway.call("/ui/configuration", { method: "GET" })).text();
      for (const secret of SECRETS) expect(text).not.toContain(secret);
      return JSON.parse(text) as Shown;
    };
    try {
      const { text, rejected } = await shown();
      expect(rejected).toBeUndefined();
      for (const plain of [
        "model_name: first",
        "os.environ/OPENAI_API_KEY",
        "max_tokens: 77",
        "SLACK_WEBHOOK_URL",
        "https://slack.example.com/",
        "https://records.example.com/",
        "@example.com/v1",
      ])
        expect(text).toContain(plain);
      gateway.writeConfig(
        `${config("second")}router_settings: {redis_password: 4711081512}\nmodel_list: 3\n`,
      );
      const broken = await until(shown, (seen) => seen.rejected !== undefined);
      expect(broken.text).toBe(text);
      expect(broken.rejected).toMatchObject({ text: expect.stringContaining("model_list: 3") });
      expect(broken.rejected!.problems.join()).toContain("model_list");
      gateway.writeConfig("model_list: [");
      await until(shown, (seen) => seen.rejected?.text === null);
      gateway.writeConfig(config("third"));
      const mended = await until(shown, (seen) => seen.rejected === undefined);
      expect(mended.text).toContain("model_name: third");
    } finally {
      await gateway.close();
    }
  });

  it("is for administrators", async () => {
    const gateway = await startTestGateway();
    try {
      const { key } = (await (await gateway.call("/key/generate", { body: {} })).json()) as { key: string };
      expect((await gateway.call("/ui/configuration", { method: "GET", key })).status).toBe(403);
      expect(await (await gateway.call("/ui/configuration", { method: "GET" })).json()).toEqual({
        file: null,
      });
    } finally {
      await gateway.close();
    }
  });
});
