import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { readConfig } from "../../platform/config/read/read-config.ts";
import { explainModel } from "./explain.ts";
import { DeploymentHealth } from "./health.ts";
import { failureKind, fallbackModels, planAttempts } from "./plan.ts";
import { retryWait } from "./retry.ts";

const rules = { allowedFails: 1, cooldownTime: 5, disableCooldowns: false };
const failure = new GatewayError(503, "api_error", "down");

function configOf(deployments: readonly object[], router: object = {}): GatewayConfig {
  const model_list = deployments.map((params, index) => ({
    model_name: "m",
    litellm_params: { model: "openai/x", api_key: "k", ...params },
    model_info: { id: `d${index}` },
  }));
  return readConfig("c.yaml", JSON.stringify({ model_list, router_settings: router }), {}).config;
}

interface Scene {
  health?: DeploymentHealth;
  random?: () => number;
  price?: (target: Target) => number | undefined;
  region?: string;
}

function order(config: GatewayConfig, scene: Scene = {}): string[] {
  const { health = new DeploymentHealth(), random = () => 0, price = () => undefined, region } = scene;
  const plan = planAttempts({ model: "m", region }, config, { health, random, price });
  return plan.attempts.map(({ deployment }) => deployment.id);
}

describe("planAttempts", () => {
  it("names every deployment exactly once, whatever the lot", () => {
    const config = configOf([
      { weight: 1 },
      { weight: 0 },
      { rpm: 5 },
      { order: 1 },
      { order: 2, weight: 9 },
    ]);
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (stream) => {
        const ids = order(config, { random: () => stream.next().value as number });
        expect(ids.toSorted()).toEqual(["d0", "d1", "d2", "d3", "d4"]);
        expect(ids.slice(0, 2)).toEqual(["d3", "d4"]);
      }),
    );
  });

  it("shares by weight", () => {
    const config = configOf([{ weight: 3 }, { weight: 1 }]);
    expect(order(config, { random: () => 0.74 })[0]).toBe("d0");
    expect(order(config, { random: () => 0.76 })[0]).toBe("d1");
  });

  it("leaves out other regions, keeps deployments without one, and refuses when none is left", () => {
    const config = configOf([{ region_name: "eu" }, { region_name: "us" }, {}]);
    expect(order(config, { region: "eu" }).toSorted()).toEqual(["d0", "d2"]);
    const bound = configOf([{ region_name: "us" }]);
    expect(() => order(bound, { region: "eu" })).toThrow(expect.objectContaining({ status: 403 }));
  });

  it("least-busy prefers the one with fewer running calls", () => {
    const health = new DeploymentHealth();
    health.began("d0");
    const config = configOf([{}, {}], { routing_strategy: "least-busy" });
    expect(order(config, { health })).toEqual(["d1", "d0"]);
  });

  it("latency-based-routing prefers the quicker one and tries the unknown first", () => {
    const health = new DeploymentHealth();
    health.succeeded("d0", 50);
    health.succeeded("d1", 20);
    const config = configOf([{}, {}, {}], { routing_strategy: "latency-based-routing" });
    expect(order(config, { health })).toEqual(["d2", "d1", "d0"]);
  });

  it.each(["usage-based-routing", "usage-based-routing-v2"])("%s prefers the one with more left", (name) => {
    const health = new DeploymentHealth();
    health.ended("d0", 500);
    health.ended("d1", 100);
    expect(order(configOf([{}, {}], { routing_strategy: name }), { health })).toEqual(["d1", "d0"]);
    const limited = configOf([{ tpm: 10_000 }, { tpm: 200 }], { routing_strategy: name });
    expect(order(limited, { health })).toEqual(["d0", "d1"]);
  });

  it("cost-based-routing prefers the cheaper one, the unknown last", () => {
    const prices: Record<string, number> = { d1: 2, d2: 1 };
    const price = (target: Target): number | undefined => prices[target.deployment.id];
    const config = configOf([{}, {}, {}], { routing_strategy: "cost-based-routing" });
    expect(order(config, { price })).toEqual(["d2", "d1", "d0"]);
  });
});

describe("cooldown", () => {
  const two = configOf([{}, {}]);

  it("puts a deployment into cooldown after more failures than allowed, and is half-open after that for one probe", () => {
    let now = 0;
    const health = new DeploymentHealth(() => now);
    const fail = (): void => {
      health.began("d0");
      health.failed("d0", failure, rules);
    };
    fail();
    expect(order(two, { health })).toContain("d0");
    fail();
    expect(order(two, { health })).toEqual(["d1"]);
    now = 5001;
    expect(order(two, { health })).toContain("d0");
    health.began("d0");
    expect(order(two, { health })).toEqual(["d1"]);
    health.failed("d0", failure, rules);
    expect(order(two, { health })).toEqual(["d1"]);
    now = 10_100;
    health.began("d0");
    health.succeeded("d0", 10);
    expect(order(two, { health })).toContain("d0");
  });

  it("lets another probe through when the first was abandoned", () => {
    let now = 0;
    const health = new DeploymentHealth(() => now);
    health.failed("d0", failure, { ...rules, allowedFails: 0 });
    now = 6000;
    health.began("d0");
    health.abandoned("d0");
    expect(order(two, { health })).toContain("d0");
  });

  it("goes into cooldown at once for as long as a 429 asks", () => {
    let now = 0;
    const health = new DeploymentHealth(() => now);
    health.failed("d0", new GatewayError(429, "rate_limit_error", "slow", { retryAfter: 20 }), rules);
    now = 19_000;
    expect(order(two, { health })).toEqual(["d1"]);
    now = 20_001;
    expect(order(two, { health })).toContain("d0");
  });

  it("has no cooldown for the only deployment, nor for any with disable_cooldowns", () => {
    const health = new DeploymentHealth(() => 0);
    health.failed("d0", failure, { ...rules, allowedFails: 0 });
    expect(order(configOf([{}]), { health })).toEqual(["d0"]);
    const off = new DeploymentHealth(() => 0);
    off.failed("d0", failure, { ...rules, allowedFails: 0, disableCooldowns: true });
    expect(order(two, { health: off })).toHaveLength(2);
  });

  it("says how long it takes when all are in cooldown", () => {
    const health = new DeploymentHealth(() => 0);
    for (const id of ["d0", "d1"]) health.failed(id, failure, { ...rules, allowedFails: 0 });
    const context = { health, random: () => 0, price: () => undefined };
    const plan = planAttempts({ model: "m", region: undefined }, two, context);
    expect(plan).toMatchObject({ attempts: [], cooldownMs: 5000 });
  });
});

describe("fallbacks", () => {
  const config = configOf([{}], {
    fallbacks: [{ m: ["b", "c", "m"] }, { "*": ["z"] }],
    context_window_fallbacks: [{ m: ["long"] }],
    content_policy_fallbacks: [{ m: ["lax"] }],
    default_fallbacks: ["last"],
  });

  it.each([
    [new GatewayError(503, "api_error", "down"), "general"],
    [new GatewayError(401, "authentication_error", "bad key"), "general"],
    [
      new GatewayError(400, "invalid_request_error", "x", { providerCode: "context_length_exceeded" }),
      "context window",
    ],
    [
      new GatewayError(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000"),
      "context window",
    ],
    [
      new GatewayError(400, "invalid_request_error", "x", { providerCode: "content_filter" }),
      "content policy",
    ],
    [new GatewayError(400, "invalid_request_error", "temperature must be a number"), "caller"],
  ])("judges %s as %s", (error, kind) => {
    expect(failureKind(error)).toBe(kind);
  });

  it("chooses the list by the kind of failure", () => {
    expect(fallbackModels(["m"], "general", config)).toEqual(["b", "c"]);
    expect(fallbackModels(["m"], "context window", config)).toEqual(["long"]);
    expect(fallbackModels(["m"], "content policy", config)).toEqual(["lax"]);
    expect(fallbackModels(["other"], "content policy", config)).toEqual(["z"]);
    expect(fallbackModels(["m"], "caller", config)).toEqual([]);
    expect(fallbackModels(["m"], "general", configOf([{}], { default_fallbacks: ["last"] }))).toEqual([
      "last",
    ]);
  });

  it("tries at most max_fallbacks", () => {
    const many = configOf([{}], { fallbacks: [{ m: ["a", "b", "c", "d", "e", "f", "g"] }] });
    expect(fallbackModels(["m"], "general", many)).toHaveLength(5);
  });
});

describe("retryWait", () => {
  it("grows with jitter, honours retry-after and gives up on long ones", () => {
    expect(retryWait(failure, 1, 0, () => 0)).toBe(0.5);
    expect(retryWait(failure, 3, 0, () => 1)).toBe(1.5);
    expect(retryWait(failure, 30, 0, () => 0)).toBe(8);
    expect(retryWait(failure, 1, 3, () => 0)).toBe(3);
    const asked = (seconds: number) =>
      new GatewayError(429, "rate_limit_error", "x", { retryAfter: seconds });
    expect(retryWait(asked(2), 1, 0, () => 0)).toBe(2);
    expect(retryWait(asked(600), 1, 0, () => 0)).toBeUndefined();
  });
});

describe("explainModel", () => {
  it("tells the attempts, why, and the fallbacks", () => {
    const config = configOf([{ order: 2 }, { order: 1, weight: 4 }], { fallbacks: [{ m: ["b"] }] });
    expect(explainModel("m", config)).toEqual({
      model: "m",
      by: "model list",
      attempts: [
        { deployment: "d1", target: "openai/x", why: "simple-shuffle, order 1, weight 4" },
        { deployment: "d0", target: "openai/x", why: "simple-shuffle, order 2" },
      ],
      fallbacks: ["b"],
      specialFallbacks: [],
      lostFallbacks: ["b"],
      problem: undefined,
    });
    expect(explainModel("nothing", config).problem).toContain("Invalid model name");
  });

  it("tells the fallbacks after special failures, where they are others", () => {
    const settings = {
      fallbacks: [{ m: ["b"] }],
      context_window_fallbacks: [{ m: ["long"] }],
      content_policy_fallbacks: [{ m: [] }],
    };
    expect(explainModel("m", configOf([{}], settings))).toMatchObject({
      fallbacks: ["b"],
      specialFallbacks: [
        { after: "context window", models: ["long"] },
        { after: "content policy", models: [] },
      ],
      lostFallbacks: ["b", "long"],
    });
  });

  it("shows that an entry takes every provider, and which one a name leads to", () => {
    const text = '{model_list: [{model_name: "*", litellm_params: {model: "*"}}]}';
    const { config } = readConfig("c.yaml", text, {});
    const target = (model: string) => explainModel(model, config).attempts[0]!.target;
    expect(target("*")).toBe("*");
    expect(target("anthropic/claude-sonnet-4-5")).toBe("anthropic/claude-sonnet-4-5");
    expect(target("gpt-4o")).toBe("openai/gpt-4o");
  });
});
