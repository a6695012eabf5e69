import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnEachDeployment } from "./support/deployments.ts";
import { MASTER_KEY, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Owners renew their keys by themselves, also while calls are under way; what these cost is the new text's. */
type Json = Record<string, unknown>;

const answer = JSON.stringify({
  ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
  choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 0, completion_tokens: 1000, total_tokens: 1000 },
});

describeOnEachDeployment("A key that its owner renews while it calls", (start) => {
  const held: ServerResponse[] = [];
  const provider = createServer((request, response) => {
    request.resume().on("end", () => held.push(response));
  });
  let gateway: TestGateway;
  beforeAll(async () => {
    await new Promise<void>((listening) => provider.listen(0, "127.0.0.1", listening));
    const { port } = provider.address() as AddressInfo;
    const params = `{model: openai/m, api_key: k, api_base: "http://127.0.0.1:${port}/v1", input_cost_per_token: 0, output_cost_per_token: 0.001}`;
    gateway = await start({
      config: `model_list: [{model_name: m, litellm_params: ${params}}]\ngeneral_settings: {master_key: ${MASTER_KEY}}\n`,
    });
    await gateway.call("/user/new", { body: { user_id: "owner", auto_create_key: false } });
  });
  afterAll(async () => {
    await gateway?.close();
    provider.close();
  });

  const ask = async (path: string, body?: object, key = gateway.masterKey): Promise<Json> => {
    const response = await gateway.call(path, { key, ...(body && { body }) });
    const retryAfter = response.headers.get("retry-after");
    return { ...((await response.json()) as object), code: response.status, retryAfter };
  };
  const messages = [{ role: "user", content: "x" }];
  const call = (key: string) => ask("/v1/chat/completions", { model: "m", max_tokens: 1000, messages }, key);
  const spendOf = async (key: string) =>
    ((await ask(`/key/info?key=${key}`)).info as { spend: number } | undefined)?.spend;
  /** A replica knows within a second what another one has made. */
  const known = (key: string) =>
    until(async () => {
      for (let each = 0; each < 4; each += 1)
        if ((await gateway.call("/v1/models", { key })).status !== 200) return false;
      return true;
    });
  /** How calls end that are under way when something else happens. */
  async function callsWhile(keys: readonly string[], meanwhile: () => Promise<void>): Promise<unknown[]> {
    for (const key of keys) await known(key);
    const calls = keys.map((key) => call(key));
    await until(() => held.length === keys.length);
    await meanwhile();
    for (const response of held.splice(0)) response.setHeader("content-type", "application/json").end(answer);
    return (await Promise.all(calls)).map(({ code }) => code);
  }

  it.each([
    ["a budget", { max_budget: 1 }],
    ["a budget with windows", { max_budget: 1, budget_duration: "30d" }],
    ["a budget for a model", { model_max_budget: { m: { max_budget: 1 } } }],
  ])("stays within %s, and waits before it is renewed again", async (_, limits) => {
    const first = (await ask("/key/generate", { user_id: "owner", ...limits })).key as string;
    let renewed = "";
    const codes = await callsWhile([first], async () => {
      renewed = (await ask("/key/regenerate", { key: first }, first)).key as string;
    });
    expect(codes).toEqual([200]);
    await until(
      () => spendOf(renewed),
      (spend) => spend === 1,
    );
    await until(
      () => call(renewed),
      ({ code }) => code === 402,
    );
    const again = await ask("/key/regenerate", { key: renewed }, renewed);
    expect(again).toMatchObject({ code: 429, retryAfter: expect.stringMatching(/^[1-9]\d*$/) });
    // Whoever administers it may; and what is given the old text is another key.
    const last = await ask("/key/regenerate", { key: renewed });
    expect(last.code).toBe(200);
    const other = await ask("/key/generate", { key: first });
    expect(other).toMatchObject({ code: 200, spend: 0 });
    expect(await callsWhile([first], async () => {})).toEqual([200]);
    await until(
      () => spendOf(first),
      (spend) => spend === 1,
    );
    expect(await spendOf(last.key as string)).toBe(1);
  });
});
