import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startRedis, type TestRedis } from "./support/redis.ts";
import { hasPostgres, hasRedis } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { until } from "./support/until.ts";

const body = { model: "claude-sonnet-4-5", max_tokens: 50, messages: [{ role: "user", content: "hello" }] };

describe.skipIf(!hasPostgres || !hasRedis)("replicas on one PostgreSQL and one Redis", () => {
  let postgres: TestDatabases;
  let redis: TestRedis;
  let replicas: TestGateway[];

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([openDatabases(), startRedis()]);
    const environment = { DATABASE_URL: await postgres.createDatabase("empty"), REDIS_URL: redis.url };
    replicas = await Promise.all([startTestGateway({ environment }), startTestGateway({ environment })]);
  });
  afterAll(async () => {
    await Promise.all((replicas ?? []).map((replica) => replica.close()));
    await redis?.stop();
    await postgres?.stop();
  });

  it("hold a key's requests per minute together", async () => {
    const key = await replicas[0]!.newKey({ rpm_limit: 5 });
    const calls = Array.from({ length: 16 }, (_, index) =>
      replicas[index % 2]!.call("/v1/messages", { key, body }).then((response) => response.status),
    );
    const statuses = await Promise.all(calls);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(11);
  });

  it("hold them together through the Redis that LiteLLM's keys name", async () => {
    const { hostname, port } = new URL(redis.url);
    const model = "{model_name: m, litellm_params: {model: openai/m, mock_response: hi}}";
    const key = "{key: sk-shared-by-both-replicas, rpm_limit: 3}";
    const place = `host: "${hostname}", port: ${port}, db: 3`;
    const settings = [
      `router_settings: {redis_host: "${hostname}", redis_port: ${port}, redis_db: 3}`,
      `litellm_settings: {cache_params: {type: redis, ttl: 600, ${place}}}`,
    ];
    const started = await Promise.all(
      settings.map((text) =>
        startTestGateway({ config: `model_list: [${model}]\nkeys: [${key}]\n${text}\n` }),
      ),
    );
    const ask = { key: "sk-shared-by-both-replicas", body: { ...body, model: "m" } };
    const statuses: number[] = [];
    for (const index of [0, 1, 0, 1]) statuses.push((await started[index]!.call("/v1/messages", ask)).status);
    await Promise.all(started.map((gateway) => gateway.close()));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it("end a key's budget together", async () => {
    const key = await replicas[0]!.newKey({ max_budget: 0.0001 });
    for (const replica of [0, 1, 0, 1])
      await (await replicas[replica]!.call("/v1/messages", { key, body })).text();
    const statuses = await Promise.all(
      replicas.map((replica) => replica.call("/v1/messages", { key, body }).then(({ status }) => status)),
    );
    expect(statuses).toEqual([402, 402]);
  });

  it("show the same spend of a key", async () => {
    const key = await replicas[0]!.newKey({});
    for (const replica of replicas) await (await replica.call("/v1/messages", { key, body })).text();
    const spend = async (replica: TestGateway): Promise<number> => {
      const answer = await replica.call(`/key/info?key=${key}`);
      return ((await answer.json()) as { info: { spend: number } }).info.spend;
    };
    const logged = async (replica: TestGateway): Promise<number> => {
      const answer = await replica.call(`/spend/logs?api_key=${key}`);
      return ((await answer.json()) as { data: unknown[] }).data.length;
    };
    for (const replica of replicas) await until(async () => (await logged(replica)) === replicas.length);
    const [first, second] = await Promise.all(replicas.map(spend));
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(first);
  });
});
