import { describe, expect, it } from "vitest";
import { GatewayError } from "../../contract/errors.ts";
import { DeploymentHealth } from "./health.ts";
import { cooldownRules } from "./retry.ts";

const settings = { allowedFails: 0, cooldownTime: 60, disableCooldowns: false };
const failed = (status: number) => new GatewayError(status, "api_error", "x");

/** How many failures of a status a deployment has before its cooldown, at most 10. */
function failuresBefore(status: number, policy: Parameters<typeof cooldownRules>[1]["allowedFailsPolicy"]) {
  const health = new DeploymentHealth(() => 0);
  for (let count = 1; count <= 10; count += 1) {
    health.failed(
      "d",
      failed(status),
      cooldownRules(failed(status), { ...settings, allowedFailsPolicy: policy }),
    );
    if (health.state("d").cooldownMs > 0) return count;
  }
  return undefined;
}

describe("allowed_fails_policy", () => {
  it("says how many failures of a class a deployment may have", () => {
    expect(failuresBefore(500, {})).toBe(1);
    expect(failuresBefore(500, { internalServer: 3 })).toBe(4);
    expect(failuresBefore(429, { internalServer: 3 })).toBe(1);
    expect(failuresBefore(504, { timeout: 1 })).toBe(2);
  });

  it("holds for errors that otherwise lead to a cooldown at once", () => {
    expect(failuresBefore(401, {})).toBe(1);
    expect(failuresBefore(401, { authentication: 2 })).toBe(3);
    expect(failuresBefore(401, { authentication: 1000 })).toBeUndefined();
  });
});
