import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomNumbers } from "../../../tools/random-numbers.ts";
import type { ClaimResult, Counters } from "../src/core/limits/counters.ts";
import { MemoryCounters } from "../src/core/limits/memory-counters.ts";
import { openRedis } from "../src/core/limits/redis/open-redis.ts";
import { RedisCounters } from "../src/core/limits/redis/redis-counters.ts";
import { readConfig } from "../src/platform/config/read/read-config.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startRedis, type TestRedis } from "./support/redis.ts";
import { hasRedis } from "./support/services.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";
import { until } from "./support/until.ts";

const below = randomNumbers();
const upTo = (most: number): number => below(most + 1);

/** A call as the model remembers it: what it holds or has used. */
interface Call {
  readonly id: string;
  readonly priority: string;
  readonly claimed: number;
  used: number;
  isRunning: boolean;
}

/** What should be answered, reckoned from all calls of the minute alone. */
function expectedOf(
  calls: readonly Call[],
  kind: "requests" | "tokens",
  { limit, share, above }: { limit: number; share: number; above: number },
  { priority, amount }: { priority: string; amount: number },
) {
  const sumOf = (some: readonly Call[]) => some.reduce((sum, call) => sum + call.used, 0);
  const fits = (some: readonly Call[], most: number): boolean => {
    if (most === 0) return false;
    const isAlone = kind === "tokens" && !some.some(({ isRunning, claimed }) => isRunning && claimed > 0);
    return sumOf(some) + amount <= most || (isAlone && sumOf(some) < most);
  };
  const own = calls.filter((call) => call.priority === priority);
  if (!fits(calls, limit))
    return { taken: false, byShare: false, remaining: Math.max(0, limit - sumOf(calls)) };
  if (sumOf(calls) + amount > above && !fits(own, share))
    return { taken: false, byShare: true, remaining: Math.max(0, share - sumOf(own)) };
  return { taken: true, remaining: Math.max(0, limit - sumOf(calls) - amount) };
}

function shown(result: ClaimResult) {
  return result.taken
    ? { taken: true, remaining: result.standings[0]!.remaining }
    : { taken: false, byShare: result.byShare, remaining: result.standing.remaining };
}

function suite(open: () => Promise<Counters>): void {
  let counters: Counters;
  beforeAll(async () => {
    counters = await open();
  });
  afterAll(() => counters?.close());

  it.each(["requests", "tokens"] as const)("answer as a plain model does, for %s", async (kind) => {
    for (let round = 0; round < 20; round += 1) {
      const owner = randomUUID();
      const limit = upTo(20);
      const shares: Record<string, number> = { prod: upTo(limit), dev: upTo(limit), "": upTo(limit) };
      const above = upTo(limit);
      const calls: Call[] = [];
      const ends = new Map<string, (use: number | undefined) => Promise<void>>();
      for (let step = 0; step < 40; step += 1) {
        const running = calls.filter(({ isRunning }) => isRunning);
        const ending = running[upTo(running.length * 2)];
        if (ending !== undefined) {
          const use = below(10) < 3 ? undefined : upTo(8);
          await ends.get(ending.id)!(use);
          ending.isRunning = false;
          const used = kind === "requests" ? 1 : (use ?? 0);
          ending.used = use === undefined ? 0 : used;
          continue;
        }
        const priority = ["prod", "dev", ""][upTo(2)]!;
        const amount = kind === "requests" ? 1 : upTo(8);
        const id = randomUUID();
        const share = { priority, limit: shares[priority]!, above };
        const claims = [{ kind, owner, name: "the model", limit, amount, share }];
        const limits = { limit, share: shares[priority]!, above };
        const expected = expectedOf(calls, kind, limits, { priority, amount });
        expect(
          shown(await counters.claim(id, claims)),
          JSON.stringify({ calls, limits, priority, amount }),
        ).toEqual(expected);
        if (!expected.taken) continue;
        calls.push({ id, priority, claimed: amount, used: amount, isRunning: true });
        ends.set(id, (use) => counters.finish(id, claims, use === undefined ? undefined : { tokens: use }));
      }
    }
  });

  it("keep to shares when all ask at once", async () => {
    const owner = randomUUID();
    const ask = async (priority: string, limit: number): Promise<string | undefined> => {
      const share = { priority, limit, above: 50 };
      const claim = { kind: "requests", owner, name: "the model", limit: 100, amount: 1, share } as const;
      return (await counters.claim(randomUUID(), [claim])).taken ? priority : undefined;
    };
    const asked = Array.from({ length: 600 }, (_, index) =>
      index % 2 === 0 ? ask("prod", 70) : ask("dev", 30),
    );
    const taken = await Promise.all(asked);
    const of = (priority: string) => taken.filter((each) => each === priority).length;
    expect(of("prod") + of("dev")).toBe(100);
    // Half of it is whoever's comes first; of the rest nobody gets more than is kept for it.
    expect(of("prod")).toBeLessThanOrEqual(70);
    expect(of("dev")).toBeLessThanOrEqual(50);
  });
}

describe("Shares of priorities, counted in one process", () => suite(async () => new MemoryCounters()));

describe.skipIf(!hasRedis)("Shares of priorities, counted in Redis", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  suite(async () => new RedisCounters(await openRedis(redis.url, pino({ level: "silent" }))));
});

describe.each([
  ["one gateway", 1],
  ["two replicas with Redis", 2],
])("priority_reservation, at %s", (_, count) => {
  const skip = count > 1 && !hasRedis;
  let provider: TokenProvider;
  let redis: TestRedis | undefined;
  let replicas: TestGateway[] = [];
  beforeAll(async () => {
    if (skip) return;
    provider = await startProvider();
    redis = count > 1 ? await startRedis() : undefined;
    const names = ["dev first", "prod first", "dialects", "without", "team"];
    const deployments = names.map(
      (name) =>
        `  - {model_name: ${name}, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, rpm: 10}}`,
    );
    const config = `model_list:
${deployments.join("\n")}
router_settings:
  num_retries: 0
${redis === undefined ? "" : `  redis_url: "${redis.url}"`}
general_settings: {master_key: sk-test-master-key-0123456789}
litellm_settings:
  callbacks: [dynamic_rate_limiter_v3]
  priority_reservation: {prod: 0.8, dev: {type: percent, value: 0.2}}
  priority_reservation_settings: {default_priority: 0.1, saturation_threshold: 0.5}
keys:
  - {key: sk-of-production, metadata: {priority: prod}}
  - {key: sk-of-development, metadata: {priority: dev}}
  - {key: sk-of-a-team-in-production, metadata: {priority: dev}, team_metadata: {priority: prod}}
  - {key: sk-of-nobody-in-particular}
  - {key: sk-of-an-unknown-priority, metadata: {priority: urgent}}
`;
    for (let index = 0; index < count; index += 1) replicas.push(await startTestGateway({ config }));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    replicas = [];
    await redis?.stop();
    provider?.close();
  });

  let turn = 0;
  async function call(key: string, model: string, path = "/v1/chat/completions") {
    turn += 1;
    const body = { model, max_tokens: 5, messages: [{ role: "user", content: "hi" }] };
    const answer = await replicas[turn % count]!.call(path, { key, body });
    const { error } = (await answer.json()) as { error?: { message: string; type: string } };
    return { status: answer.status, error, headers: answer.headers };
  }

  /** Calls until one is refused. */
  async function untilRefused(key: string, model: string) {
    for (let answered = 0; ; answered += 1) {
      const { status, error } = await call(key, model);
      if (status === 200) continue;
      expect(status).toBe(429);
      return { answered, message: error!.message };
    }
  }

  it.skipIf(skip)("lets the lower priority borrow up to saturation when it comes first", async () => {
    expect(await untilRefused("sk-of-development", "dev first")).toEqual({
      answered: 5,
      message: expect.stringMatching(/the priority dev .*its share is 2 of 10 requests per minute/),
    });
    expect(await untilRefused("sk-of-production", "dev first")).toEqual({
      answered: 5,
      message: expect.stringMatching(/^Rate limit of the model dev first exceeded: 10 requests/),
    });
  });

  it.skipIf(skip)("keeps the lower priority its share when it comes last", async () => {
    expect(await untilRefused("sk-of-production", "prod first")).toEqual({
      answered: 8,
      message: expect.stringMatching(/the priority prod .*its share is 8 of 10/),
    });
    expect(await untilRefused("sk-of-development", "prod first")).toEqual({
      answered: 2,
      message: expect.stringMatching(/^Rate limit of the model prod first exceeded/),
    });
  });

  it.skipIf(skip)("has calls without a share of their own share one", async () => {
    expect(await untilRefused("sk-of-production", "without")).toMatchObject({ answered: 8 });
    expect(await untilRefused("sk-of-nobody-in-particular", "without")).toEqual({
      answered: 1,
      message: expect.stringMatching(/of calls without a priority .*its share is 1 of 10/),
    });
    expect(await untilRefused("sk-of-an-unknown-priority", "without")).toMatchObject({ answered: 0 });
  });

  it.skipIf(skip)("takes the team's priority before the key's", async () => {
    expect(await untilRefused("sk-of-a-team-in-production", "team")).toMatchObject({ answered: 8 });
  });

  it.skipIf(skip)("refuses in the caller's dialect, with the share in its headers", async () => {
    await untilRefused("sk-of-development", "dialects");
    const openai = await call("sk-of-development", "dialects");
    expect(openai.headers.get("x-ratelimit-limit-requests")).toBe("2");
    expect(openai.headers.get("x-ratelimit-remaining-requests")).toBe("0");
    expect(Number(openai.headers.get("retry-after"))).toBeGreaterThan(0);
    const anthropic = await call("sk-of-development", "dialects", "/v1/messages");
    expect(anthropic).toMatchObject({ status: 429, error: { type: "rate_limit_error" } });
    expect(anthropic.error!.message).toContain("the priority dev");
    expect(anthropic.headers.get("anthropic-ratelimit-requests-limit")).toBe("2");
  });
});

describe("What the configuration says of priorities", () => {
  const warningsOf = (text: string): string[] =>
    readConfig("config.yaml", text, {}).warnings.map(({ path, message }) => `${path}: ${message}`);
  const limited = "model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: x, rpm: 10}}]\n";

  it("warns of priorities that nothing is kept for, and of shares of more than the whole", () => {
    const warnings = warningsOf(`${limited}litellm_settings:
  priority_reservation: {prod: 0.9, dev: 0.3}
keys:
  - {key: sk-12345678, metadata: {priority: prdo}}
  - {key: sk-12345679, metadata: {priority: dev}, team_metadata: {priority: 7}}
`);
    expect(warnings).toEqual([
      expect.stringMatching(/^litellm_settings.priority_reservation: the shares add up to 1.2/),
      expect.stringMatching(/^keys\[0\].metadata.priority: .*did you mean prod\?/),
      expect.stringMatching(/^keys\[1\].team_metadata.priority: .*expected one of prod, dev/),
    ]);
    expect(warningsOf("litellm_settings: {priority_reservation: {prod: 1}}\n")).toEqual([
      expect.stringMatching(/priority_reservation: has no effect: no deployment has rpm or tpm/),
    ]);
    const shares = "priority_reservation: {prod: 0.7, dev: 0.2, test: 0.1}";
    expect(
      warningsOf(`${limited}litellm_settings: {callbacks: [dynamic_rate_limiter_v3], ${shares}}\n`),
    ).toEqual([]);
  });

  it.each([
    ["priority_reservation: [prod]", "expected a map"],
    ["priority_reservation: {prod: 1.1}", "expected a number from 0 to 1"],
    ["priority_reservation: {prod: -0.1}", "expected a number from 0 to 1"],
    ["priority_reservation: {prod: .nan}", "expected a number from 0 to 1"],
    ["priority_reservation: {prod: {type: rpm, value: 5}}", "expected a part of the limits"],
    ['priority_reservation: {"": 1}', "expected the name of a priority"],
    ["priority_reservation_settings: {default_priority: 2}", "expected a number from 0 to 1"],
    ["priority_reservation_settings: {saturation: 1}", "expected one of default_priority"],
  ])("refuses %s", (settings, message) => {
    expect(() => readConfig("config.yaml", `${limited}litellm_settings: {${settings}}\n`, {})).toThrow(
      message,
    );
  });
});

describe("Who gives a priority", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      config: "general_settings: {master_key: sk-test-master-key-0123456789}\n",
    });
  });
  afterAll(() => gateway?.close());

  it("is a proxy administrator alone, for keys and teams", async () => {
    const ask = async (path: string, body: object, key = gateway.masterKey) => {
      const answer = await gateway.call(path, { key, body });
      const content = (await answer.json()) as Record<string, unknown>;
      return { ...content, key: String(content.key), status: answer.status };
    };
    const prod = { metadata: { priority: "prod" } };
    await ask("/organization/new", { organization_id: "o", organization_alias: "o" });
    const admin = await ask("/user/new", { user_id: "admin" });
    const member = { user_id: "admin", role: "org_admin" };
    expect(await ask("/organization/member_add", { organization_id: "o", member })).toMatchObject({
      status: 200,
    });
    const user = await ask("/user/new", { user_id: "user" });
    const own = user.key;
    const ofAdmin = admin.key;
    const refusal = (param: string) => ({ status: 403, error: { param } });
    expect(await ask("/key/generate", { user_id: "user", ...prod }, own)).toMatchObject(
      refusal("metadata.priority"),
    );
    expect(await ask("/key/generate", { user_id: "user", metadata: { note: 1 } }, own)).toMatchObject({
      status: 200,
    });
    expect(await ask("/team/new", { team_id: "t", organization_id: "o", ...prod }, ofAdmin)).toMatchObject(
      refusal("metadata.priority"),
    );
    expect(await ask("/team/new", { team_id: "t", organization_id: "o", ...prod })).toMatchObject({
      status: 200,
    });
    const update = (metadata: object) => ask("/team/update", { team_id: "t", metadata }, ofAdmin);
    expect(await update({ priority: "other" })).toMatchObject(refusal("metadata.priority"));
    // Without its priority it would have the share of those that have none.
    expect(await update({ note: 1 })).toMatchObject(refusal("metadata.priority"));
    expect(await update({ priority: "prod", note: 1 })).toMatchObject({ status: 200 });
  });
});

describe("Metadata that would have no effect", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      config: `
model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: x, rpm: 10}}]
general_settings: {master_key: sk-test-master-key-0123456789}
litellm_settings: {priority_reservation: {prod: 0.9, dev: 0.1}}
`,
    });
  });
  afterAll(() => gateway?.close());

  interface Schema {
    readonly $ref?: string;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly anyOf?: readonly Schema[];
    readonly items?: Schema;
  }

  /** Each operation on keys and teams that takes metadata, by the API's own description. */
  async function fields(): Promise<{ path: string; field: string; isInList: boolean }[]> {
    const document = (await (await gateway.call("/openapi.json")).json()) as {
      paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>;
      components: { schemas: Record<string, Schema> };
    };
    const resolved = (schema: Schema): Schema =>
      schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)!]!;
    return Object.entries(document.paths)
      .filter(([path]) => /^\/(key|team)\//.test(path))
      .flatMap(([path, { post }]) => {
        const body = resolved(post?.requestBody?.content["application/json"]?.schema ?? {});
        const lists = Object.values(body.properties ?? {}).map((each) => resolved(each.items ?? {}));
        return [body, ...lists].flatMap((schema, at) =>
          ["metadata", "team_metadata"]
            .filter((field) => schema.properties?.[field] !== undefined)
            .map((field) => ({ path, field, isInList: at > 0 })),
        );
      });
  }

  const ask = async (path: string, body: object) => {
    const answer = await gateway.call(path, { body });
    return { status: answer.status, text: await answer.text() };
  };

  it("is refused with the name that may be meant, wherever keys and teams get metadata", async () => {
    const found = await fields();
    expect(found.map(({ path, field }) => `${path} ${field}`)).toEqual(
      expect.arrayContaining([
        "/key/generate metadata",
        "/key/generate team_metadata",
        "/key/update metadata",
        "/key/bulk_update metadata",
        "/key/service-account/generate metadata",
        "/key/{key}/regenerate metadata",
        "/team/new metadata",
        "/team/update metadata",
      ]),
    );
    await ask("/team/new", { team_id: "known" });
    for (const { path, field, isInList } of found) {
      const { key } = JSON.parse((await ask("/key/generate", {})).text) as { key: string };
      const named: object =
        /\/(?:update|bulk_update|regenerate)$/.test(path) && !path.includes("{") ? { key } : {};
      const send = (value: object) => {
        const body = {
          ...(path.startsWith("/key/") ? named : {}),
          ...(/service-account|team\/update/.test(path) ? { team_id: "known" } : {}),
          [field]: value,
        };
        return ask(path.replace("{key}", key), isInList ? { keys: [body] } : body);
      };
      for (const [value, message] of [
        [
          { priority: "prdo" },
          `${field}.priority: priority_reservation keeps nothing for it; did you mean prod?`,
        ],
        [{ priority: 7 }, "expected one of prod, dev"],
        [{ agents: "all" }, `${field}.agents`],
        [{ tags: "free" }, `${field}.tags`],
        [{ cache: { "no-cahce": true } }, "Did you mean no-cache?"],
        [{ cache: { ttl: "soon" } }, `${field}.cache.ttl`],
      ] as const) {
        const { status, text } = await send(value);
        expect([path, field, status === 400 || (isInList && status === 200), text]).toEqual([
          path,
          field,
          true,
          expect.stringContaining(message),
        ]);
      }
      // What is set to nothing is not set: clients of LiteLLM send null.
      const fine = { priority: null, agents: null, tags: null, cache: null, note: { priority: "any" } };
      expect([path, await send(fine)]).toEqual([path, expect.objectContaining({ status: 200 })]);
    }
  });

  it("stays where it was stored before the configuration named it no more", async () => {
    const rows = await ask("/key/generate", { metadata: { priority: "dev" } });
    const { key } = JSON.parse(rows.text) as { key: string };
    gateway.writeConfig(`
model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: x, rpm: 10}}]
general_settings: {master_key: sk-test-master-key-0123456789}
litellm_settings: {priority_reservation: {prod: 0.9}}
`);
    await until(async () => (await ask("/key/generate", { metadata: { priority: "dev" } })).status === 400);
    const update = (metadata: object) => ask("/key/update", { key, metadata });
    expect(await update({ priority: "dev", note: 1 })).toMatchObject({ status: 200 });
    expect(await update({ priority: "deb" })).toMatchObject({ status: 400 });
  });
});
