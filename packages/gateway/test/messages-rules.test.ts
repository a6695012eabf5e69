import { afterEach, describe, expect, it } from "vitest";
import { GatewayError } from "../src/contract/errors.ts";
import {
  CallHarness,
  echo,
  fail,
  type HarnessOptions,
  messageEvents,
  sendEvents,
} from "./support/call-harness.ts";

let harness: CallHarness;
afterEach(() => harness.close());

function start(options: HarnessOptions = {}): CallHarness {
  harness = new CallHarness(options);
  return harness;
}

const body = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "hi there" }] };

function models(...names: string[]): object[] {
  return names.map((name) => ({
    model_name: name,
    litellm_params: { model: `openai/${name}-up`, api_key: "provider-key" },
    model_info: { id: `${name}-id` },
  }));
}

function tick(): Promise<void> {
  return new Promise((done) => setImmediate(() => setImmediate(done)));
}

describe.each(["/v1/messages", "/anthropic/v1/messages"])("POST %s", (path) => {
  it("Messages rule 1: the completion model setting, else the command line's, else the body's; the command line overrides all", async () => {
    const config = {
      model_list: models("set", "cli", "m"),
      general_settings: { completion_model: "set" },
    };
    expect((await start({ config }).post(path, body)).json.model).toBe("set-up");
    await harness.close();
    expect((await start({ config, commandLine: { model: "cli" } }).post(path, body)).json.model).toBe(
      "cli-up",
    );
    await harness.close();
    expect((await start({ config: { model_list: models("m") } }).post(path, body)).json.model).toBe("m-up");
  });

  it("Messages rules 1 and 3: any key may use the operator's model, also where an alias stands for it", async () => {
    const bound = { principal: { models: ["other"] } };
    const gateway_settings = { model_alias_map: { cli: "real", set: "real", m: "other" } };
    const config = { model_list: models("cli", "set", "real", "other", "m"), gateway_settings };
    const fixed = { ...config, general_settings: { completion_model: "set" } };
    for (const options of [{ config, commandLine: { model: "cli" } }, { config: fixed }]) {
      start(options);
      for (const model of ["m", "other", undefined])
        expect((await harness.post(path, { ...body, model }, bound)).json.model).toBe("real-up");
      expect((await harness.post(`${path}/count_tokens`, body, bound)).json).toHaveProperty("input_tokens");
      await harness.close();
    }
    // No model was chosen for all: the key's own list counts, by the caller's name or what it stands for.
    start({ config });
    expect((await harness.post(path, body, bound)).json.model).toBe("other-up");
    await expect(harness.post(path, { ...body, model: "cli" }, bound)).rejects.toMatchObject({ status: 403 });
  });

  it("Messages rule 2: the command line's temperature, timeout, max_tokens and api_base override the request", async () => {
    start({ commandLine: { temperature: 0.3, maxTokens: 9 } });
    await harness.post(path, { ...body, temperature: 1 });
    expect(harness.seen[0]!.json).toMatchObject({ temperature: 0.3, max_tokens: 9 });
    await harness.close();

    start({ commandLine: { requestTimeout: 0.05 }, script: () => undefined });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 504 });
    await harness.close();

    start({ commandLine: { apiBase: "http://127.0.0.1:1" } });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 502 });
    expect(harness.settled[0]!.call.apiBase).toBe("http://127.0.0.1:1");
  });

  it.each([
    ["a list of names", ["b"], "b-up"],
    ["Anthropic's list of models", [{ model: "b", max_tokens: null }], "b-up"],
    ["Anthropic's default, which the configuration says", "default", "c-up"],
  ])("fallbacks: %s", async (_name, fallbacks, answered) => {
    const config = {
      model_list: models("m", "b", "c"),
      router_settings: { num_retries: 0, fallbacks: [{ m: ["c"] }] },
    };
    const script: HarnessOptions["script"] = (seen, response) =>
      seen.json.model === "m-up" ? fail(response, 500) : echo(seen, response);
    start({ config, script });
    expect((await harness.post(path, { ...body, fallbacks })).json.model).toBe(answered);
    for (const { json } of harness.seen) expect(json).not.toHaveProperty("fallbacks");
  });

  it.each([
    { fallbacks: "b" },
    { fallbacks: [5] },
    { fallbacks: [{}] },
    { fallbacks: [{ model: "b", max_tokens: 5 }] },
  ])("$fallbacks are 400", async ({ fallbacks }) => {
    start({ config: { model_list: models("m", "b") } });
    await expect(harness.post(path, { ...body, fallbacks })).rejects.toMatchObject({
      status: 400,
      param: "fallbacks",
    });
  });

  it("Messages rule 3: a name in the alias map is replaced", async () => {
    const config = { model_list: models("m"), gateway_settings: { model_alias_map: { nick: "m" } } };
    const answer = await start({ config }).post(path, { ...body, model: "nick" });
    expect(answer.json.model).toBe("m-up");
    expect(answer.call.model).toBe("m");
  });

  it("Messages rule 4: the pre-call hook may change the request, the during-call hook runs beside the model call", async () => {
    const order: string[] = [];
    const running = Promise.withResolvers<void>();
    start({
      hooks: [
        {
          preCall: ({ data }) => {
            order.push("pre");
            return { ...data, max_tokens: 1 };
          },
          duringCall: async ({ data }) => {
            order.push(`during ${data.max_tokens}`);
            await running.promise;
            order.push("during ends");
          },
        },
      ],
      script: (seen, response) => {
        order.push("provider");
        running.resolve();
        echo(seen, response);
      },
    });
    await harness.post(path, body);
    expect(order).toEqual(["pre", "during 1", "provider", "during ends"]);
    expect(harness.seen[0]!.json.max_tokens).toBe(1);
  });

  it("Messages rule 4: a during-call hook that refuses ends the call and its upstream", async () => {
    const left = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    start({
      hooks: [
        {
          duringCall: async () => {
            await arrived.promise;
            throw new GatewayError(403, "permission_error", "not this");
          },
        },
      ],
      script: (_seen, response) => {
        response.on("close", () => left.resolve());
        arrived.resolve();
      },
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 403, message: "not this" });
    await left.promise;
  });

  it("Messages rule 5: routes by name, alias, deployment name, deployment id and pattern, else 400 with the detail", async () => {
    start({
      config: {
        model_list: [
          ...models("m"),
          { model_name: "x/*", litellm_params: { model: "openai/*", api_key: "k" } },
        ],
        router_settings: { model_group_alias: { other: "m" } },
      },
    });
    for (const [model, upstream] of [
      ["m", "m-up"],
      ["other", "m-up"],
      ["openai/m-up", "m-up"],
      ["m-id", "m-up"],
      ["x/y", "y"],
    ])
      expect((await harness.post(path, { ...body, model })).json.model).toBe(upstream);
    const text = "completion: Invalid model name passed in model=unknown";
    await expect(harness.post(path, { ...body, model: "unknown" })).rejects.toMatchObject({
      status: 400,
      detail: { error: text },
    });
    const missing = { status: 400, detail: { error: "completion: Invalid model name passed in model=None" } };
    await expect(harness.post(path, { ...body, model: undefined })).rejects.toMatchObject(missing);
  });

  it("Messages rule 6: stream true is answered with the provider's event stream, byte for byte", async () => {
    start();
    const answer = await harness.post(path, { ...body, stream: true });
    expect(answer.headers["content-type"]).toContain("text/event-stream");
    expect(answer.text).toBe(messageEvents.join(""));
    expect(harness.settled[0]!.call).toMatchObject({
      status: "success",
      streamed: true,
      usage: { input: 7, output: 3 },
    });
  });

  it("Messages rule 6: otherwise the post-call success hook may change the answer, and success is scheduled", async () => {
    const updates: object[] = [];
    start({
      hooks: [
        {
          postCallSuccess: (_context, answer) => ({ ...answer, stamped: true }),
          postCallStream: () => {
            throw new Error("not for whole answers");
          },
          requestStatus: (update) => void updates.push(update),
        },
      ],
    });
    const answer = await harness.post(path, body);
    expect(answer.json).toMatchObject({ model: "up", stamped: true });
    await tick();
    expect(updates).toEqual([{ gateway_call_id: "call-1", status: "success" }]);
  });

  it("Messages rule 6: streams pass the stream hook, not the success hook", async () => {
    start({
      hooks: [
        {
          postCallSuccess: () => ({ never: true }),
          async *postCallStream(_context, stream) {
            for await (const chunk of stream) yield Buffer.from(chunk.toString().replace("Hello", "HELLO"));
          },
        },
      ],
    });
    const answer = await harness.post(path, { ...body, stream: true });
    expect(answer.text).toBe(messageEvents.join("").replace("Hello", "HELLO"));
  });

  it("Messages rule 7: on failure the failure hook runs and the error carries message, type, param and status", async () => {
    const failures: unknown[] = [];
    start({
      hooks: [{ failure: ({ callId }, error) => void failures.push([callId, error.status]) }],
      script: (_seen, response) => fail(response, 418),
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 418, message: "status 418" });
    await expect(harness.post(path, { ...body, stream: "yes" })).rejects.toMatchObject({
      status: 400,
      param: "stream",
    });
    expect(failures).toEqual([
      ["call-1", 418],
      ["call-1", 400],
    ]);
    expect(harness.settled.map(({ call }) => [call.status, call.usage])).toEqual([
      ["failure", undefined],
      ["failure", undefined],
    ]);
  });

  it("Messages rule 7: an unforeseen failure is a 500 that says nothing of the inside", async () => {
    start();
    harness.deps.ledger.settle = () => undefined;
    Object.assign(harness.deps, {
      findProvider: () => {
        throw new TypeError("/secret/path of undefined");
      },
    });
    const failure = await harness.post(path, body).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 500, message: "Internal server error" });
  });

  it("refuses bodies that are not what they should be", async () => {
    start();
    for (const wrong of [
      "",
      "[]",
      "null",
      "{",
      '{"model":1,"messages":[{}]}',
      '{"model":"m","messages":{}}',
      '{"model":"m","messages":[]}',
    ])
      await expect(harness.post(path, wrong)).rejects.toMatchObject({ status: 400 });
    expect(harness.seen).toEqual([]);
  });

  it("ends a stream that breaks after it began in an error event", async () => {
    start({
      script: (_seen, response) => {
        sendEvents(response, messageEvents.slice(0, 3), false);
        response.write("event: message_d", () => setTimeout(() => response.destroy(), 5));
      },
    });
    const answer = await harness.post(path, { ...body, stream: true });
    expect(answer.text.startsWith(messageEvents.slice(0, 3).join(""))).toBe(true);
    expect(answer.text).toMatch(/event: error\ndata: .*\n\n$/);
    expect(harness.settled[0]!.call).toMatchObject({ status: "failure", usage: { input: 7 } });
  });
});

describe.each(["/v1/messages/count_tokens", "/anthropic/v1/messages/count_tokens"])("POST %s", (path) => {
  const anthropic = {
    model_list: [{ model_name: "m", litellm_params: { model: "anthropic/up", api_key: "k" } }],
  };

  it("Count-tokens rule 1: a missing or empty model is a 400 with the detail", async () => {
    start();
    const refusal = { status: 400, detail: { error: "model parameter is required" } };
    for (const model of [undefined, null, ""])
      await expect(harness.post(path, { ...body, model })).rejects.toMatchObject(refusal);
  });

  it("Count-tokens rule 2: missing or empty messages are a 400 with the detail", async () => {
    start();
    const refusal = { status: 400, detail: { error: "messages parameter is required" } };
    for (const messages of [undefined, null, []])
      await expect(harness.post(path, { ...body, messages })).rejects.toMatchObject(refusal);
    await expect(harness.post(path, { ...body, messages: "hi" })).rejects.toMatchObject({ status: 400 });
  });

  it("Count-tokens rule 3: the provider's counter counts where it has one", async () => {
    const answer = await start({ config: anthropic }).post(path, body);
    expect(answer.json).toEqual({ input_tokens: 42 });
    expect(answer.headers["x-portico-token-count-source"]).toBe("provider");
    expect(harness.seen[0]!.json.model).toBe("up");
  });

  it("Count-tokens rule 3: the model that counted is known by its name also behind a wildcard", async () => {
    const wild = { model_name: "anthropic/*", litellm_params: { model: "anthropic/*", api_key: "k" } };
    const answer = await start({ config: { model_list: [wild] } }).post(path, {
      ...body,
      model: "anthropic/up",
    });
    expect(answer.call.deployment?.model).toBe("up");
  });

  it("Count-tokens rule 3: the local tokenizer counts for other providers, unknown models and silent counters", async () => {
    const local = { json: { input_tokens: 2 }, headers: { "x-portico-token-count-source": "local" } };
    expect(await start().post(path, body)).toMatchObject(local);
    expect(await harness.post(path, { ...body, model: "unknown" })).toMatchObject(local);
    await harness.close();
    start({ config: anthropic, script: (_seen, response) => fail(response, 500) });
    expect(await harness.post(path, body)).toMatchObject(local);
  });

  it("Count-tokens rule 4: another failure is a 500 with the detail", async () => {
    start();
    Object.assign(harness.deps, {
      countTokens: () => {
        throw new GatewayError(500, "api_error", "no tokenizer");
      },
    });
    const text = "Internal server error: no tokenizer";
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 500, detail: { error: text } });
  });
});
