import { expect, it } from "vitest";
import { ConfigError } from "../problem.ts";
import { readConfig } from "./read-config.ts";

const read = (teams: string) =>
  readConfig("c.yaml", `litellm_settings:\n  default_team_settings: ${teams}\n`, {});
const langfuse = "langfuse_public_key: pk, langfuse_secret: s";

it("reads LiteLLM's form, its variables beside the lists or in a map", () => {
  for (const teams of [
    `[{team_id: a, success_callback: [langfuse], ${langfuse}}]`,
    `[{team_id: a, success_callback: [langfuse], callback_vars: {${langfuse}}}]`,
  ]) {
    const { config, warnings } = read(teams);
    expect(warnings).toEqual([]);
    expect(config.gatewaySettings.defaultTeamSettings).toEqual([
      {
        teamId: "a",
        callbacks: [
          {
            callback_name: "langfuse",
            callback_type: "success",
            callback_vars: { langfuse_public_key: "pk", langfuse_secret: "s" },
            isOperators: true,
          },
        ],
      },
    ]);
  }
});

it.each([
  ["[{team_id: a, success_callback: [s3]}]", "s3 has no effect for this team"],
  ["[{team_id: a, failure_callback: [langfuse]}]", "langfuse has no effect for this team: langfuse needs"],
  [
    `[{team_id: a, success_callback: [langfuse], ${langfuse}, max_budget: 5}]`,
    "has no effect here: no callback",
  ],
])("warns of %s", (teams, message) => {
  expect(
    read(teams)
      .warnings.map((one) => one.message)
      .join("\n"),
  ).toContain(message);
});

it.each([
  ["{team_id: a}", "expected a list of {team_id"],
  ["[a]", "expected a map with team_id"],
  ["[{success_callback: [langfuse]}]", "expected the id of a team"],
  ["[{team_id: a}, {team_id: a}]", "a stands twice"],
  ["[{team_id: a, success_callback: langfuse}]", "expected a list of names"],
])("refuses %s", (teams, message) => {
  expect(() => read(teams)).toThrow(ConfigError);
  expect(() => read(teams)).toThrow(message);
});
