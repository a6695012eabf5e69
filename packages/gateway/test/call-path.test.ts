import { afterEach, describe, expect, it } from "vitest";
import { GatewayError } from "../src/contract/errors.ts";
import {
  CallHarness,
  chatEvents,
  echo,
  fail,
  type HarnessOptions,
  messageEvents,
  type Script,
  sendEvents,
} from "./support/call-harness.ts";
import { until } from "./support/until.ts";

let harness: CallHarness;
const started: CallHarness[] = [];
afterEach(() => Promise.all(started.splice(0).map((each) => each.close())));

function start(options: HarnessOptions = {}): CallHarness {
  harness = new CallHarness(options);
  started.push(harness);
  return harness;
}

const path = "/v1/chat/completions";
const body = { model: "m", messages: [{ role: "user", content: "hi there" }] };

function config(count: number, router: object = {}, params: object = {}, gateway: object = {}) {
  const model_list = Array.from({ length: count }, (_, index) => ({
    model_name: "m",
    litellm_params: { model: `openai/up${index}`, api_key: "provider-key", order: index, ...params },
    model_info: { id: `d${index}` },
  }));
  return { model_list, router_settings: { num_retries: 0, ...router }, gateway_settings: gateway };
}

describe("the end of an answer", () => {
  const refusal = new GatewayError(400, "invalid_request_error", "not that");
  const refusing = {
    async *postCallStream(_context: unknown, stream: AsyncIterable<Uint8Array>) {
      yield* stream;
      throw refusal;
    },
  };
  const passing = {
    async *postCallStream(_context: unknown, stream: AsyncIterable<Uint8Array>) {
      yield* stream;
    },
  };
  const changing = { postCallSuccess: async (_context: unknown, answer: object) => ({ ...answer }) };
  const whole = (isError: boolean): Script => (isError ? (_seen, response) => fail(response, 400, {}) : echo);
  const events =
    (last: number): Script =>
    (_seen, response) =>
      sendEvents(response, chatEvents.slice(0, last));
  const streamOf = { ...body, stream: true };

  it.each<[string, object, HarnessOptions, string]>([
    ["a whole one", body, {}, "{"],
    ["one that a hook changes", body, { hooks: [changing] }, "{"],
    ["an error", body, { script: whole(true) }, "400"],
    ["a stream", streamOf, { script: events(chatEvents.length) }, "[DONE]"],
    ["a stream that breaks", streamOf, { script: events(2) }, '{"error"'],
    ["a stream that a hook sees", streamOf, { hooks: [passing] }, "[DONE]"],
    ["a stream that a hook refuses", streamOf, { hooks: [refusing] }, '{"error"'],
  ])("waits until the call's row is written: %s", async (_, request, options, last) => {
    const row = Promise.withResolvers<void>();
    start({ ...options, written: () => row.promise });
    let seen = "";
    const reading = (async () => {
      try {
        const { reply } = await harness.open(path, request);
        if ("stream" in reply)
          for await (const chunk of reply.stream) seen += Buffer.from(chunk).toString("utf8");
        else seen = Buffer.isBuffer(reply.body) ? reply.body.toString("utf8") : JSON.stringify(reply.body);
      } catch (error) {
        seen = String((error as GatewayError).status);
      }
    })();
    await until(() => harness.settled.length === 1);
    // What does not wait for the row has come by the end of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).not.toContain(last);
    row.resolve();
    await reading;
    expect(seen).toContain(last);
  });
});

describe("the bytes of a native call", () => {
  it("reach the provider as they came, but for the model's name", async () => {
    const text =
      '{ "model": "m",\n"messages":[{"role":"user","content":"\\u00e9"}], "x_unknown": 12345678901234567890 }';
    await start().post(path, text);
    expect(harness.seen[0]!.text).toBe(text.replace('"m"', '"up"'));
    expect(harness.seen[0]!.url).toBe("/chat/completions?secret=1");
  });

  it("come back as the provider sent them", async () => {
    const text = '{"id":"a" , "big":12345678901234567890,"usage":{"prompt_tokens":4,"completion_tokens":2}}';
    start({ script: (_seen, response) => void response.end(text) });
    const answer = await harness.post(path, body);
    expect(answer.text).toBe(text);
    expect(answer.call).toMatchObject({ status: "success", usage: { input: 4, output: 2 }, cost: 0.008 });
    expect(answer.call.apiBase).not.toContain("secret");
  });

  it.each([
    ["short", 10],
    ["long", 40_000],
  ])(
    "are refused where the JSON of a %s answer is broken before its usage, and asked for again",
    async (_, length) => {
      const usage = '"usage":{"prompt_tokens":4,"completion_tokens":2}}';
      const content = "x".repeat(length);
      const broken = `{"id":"a","choices":[{"message":{"content":"${content},${usage}`;
      const whole = `{"id":"a","choices":[{"message":{"content":"${content}"}}],${usage}`;
      start({
        config: config(2, { num_retries: 1 }),
        script: (_seen, response) => void response.end(harness.seen.length === 1 ? broken : whole),
      });
      const answer = await harness.post(path, body);
      expect(answer).toMatchObject({ status: 200, text: whole, call: { attemptedRetries: 1 } });
      start({ config: config(1), script: (_seen, response) => void response.end(broken) });
      await expect(harness.post(path, body)).rejects.toMatchObject({
        status: 502,
        message: "The provider's answer is not a JSON object.",
      });
    },
  );

  it("carry the provider's key and never the gateway's, and only the caller's protocol headers", async () => {
    const headers = {
      authorization: "Bearer sk-gateway",
      "x-api-key": "sk-gateway",
      "anthropic-beta": "tools-1",
      "anthropic-version": "2024-01-01",
      cookie: "a=b",
      "x-forwarded-for": "1.2.3.4",
    };
    await start().post(path, body, { headers });
    const seen = harness.seen[0]!.headers;
    expect(seen).toMatchObject({
      authorization: "Bearer provider-key",
      "anthropic-beta": "tools-1",
      "anthropic-version": "2024-01-01",
    });
    expect(JSON.stringify(seen)).not.toMatch(/sk-gateway|a=b|1\.2\.3\.4/);
  });

  it("get the deployment's defaults, extra headers and extra members; drop_params leaves unknown fields out", async () => {
    const params = {
      temperature: 0.1,
      top_p: 0.5,
      extra_headers: { "X-Team": "a" },
      extra_body: { tag: 1 },
      additional_drop_params: ["seed"],
      drop_params: true,
    };
    await start({ config: config(1, {}, params) }).post(path, {
      ...body,
      temperature: 1,
      seed: 4,
      odd: true,
    });
    expect(harness.seen[0]!.json).toEqual({ ...body, model: "up0", temperature: 1, top_p: 0.5, tag: 1 });
    expect(harness.seen[0]!.headers["x-team"]).toBe("a");
  });

  it.each(["/chat/completions", "/openai/v1/chat/completions"])("are taken at %s too", async (other) => {
    expect((await start().post(other, body)).status).toBe(200);
  });

  it("take the model from Azure's path", async () => {
    await start().post("/openai/deployments/m/chat/completions", { messages: body.messages });
    expect(harness.seen[0]!.json.model).toBe("up");
  });
});

describe("chat streams", () => {
  const streamed = { ...body, stream: true };

  it("hide the usage chunk that only the gateway asked for, and are accounted by it", async () => {
    const answer = await start().post(path, streamed);
    expect(harness.seen[0]!.json.stream_options).toEqual({ include_usage: true });
    expect(answer.text).toBe(chatEvents.filter((event) => !event.includes('"usage"')).join(""));
    expect(harness.settled[0]!.call).toMatchObject({ status: "success", usage: { input: 7, output: 3 } });
  });

  it("pass every byte on to callers who asked for usage", async () => {
    const answer = await start().post(path, { ...streamed, stream_options: { include_usage: true } });
    expect(answer.text).toBe(chatEvents.join(""));
  });

  it("end in an error and no [DONE] when they break", async () => {
    start({ script: (_seen, response) => sendEvents(response, chatEvents.slice(0, 2)) });
    const answer = await harness.post(path, streamed);
    expect(answer.text).toMatch(/data: \{"error":.*\}\n\n$/);
    expect(answer.text).not.toContain("[DONE]");
    expect(harness.settled[0]!.call).toMatchObject({ status: "failure", usage: { input: 2, output: 2 } });
  });

  it("are accounted before their last event goes out, also where the tokens are counted here", async () => {
    const count = Promise.withResolvers<number>();
    const without = chatEvents.filter((event) => !event.includes('"usage"'));
    for (const events of [chatEvents, without]) {
      start({ script: (_seen, response) => sendEvents(response, events, false) });
      Object.assign(harness.deps, { countTokens: () => count.promise });
      const { reply } = await harness.open(path, streamed);
      if (!("stream" in reply)) throw new Error("no stream");
      setTimeout(() => count.resolve(5), 50);
      for await (const chunk of reply.stream) {
        const isLast = Buffer.from(chunk).includes("[DONE]");
        if (isLast) expect(harness.settled[0]?.call.status).toBe("success");
      }
    }
    expect(harness.settled[0]!.call.usage).toMatchObject({ input: 5 });
  });

  it("end although the provider keeps its connection open behind the last event", async () => {
    start({ script: (_seen, response) => sendEvents(response, chatEvents, false) });
    const answer = await harness.post(path, streamed);
    expect(answer.text).toContain("[DONE]");
    expect(harness.settled[0]!.call).toMatchObject({ status: "success", usage: { input: 7, output: 3 } });
  });

  it.each([
    ["while it passes the last event on", 1],
    ["behind the last event", 2],
  ])("lose their end, and are accounted as failed, when a hook refuses them %s", async (_, moment) => {
    const refusal = new GatewayError(400, "invalid_request_error", "not that");
    const hooks = {
      async *postCallStream(_context: unknown, stream: AsyncIterable<Uint8Array>) {
        for await (const chunk of stream) {
          if (moment === 1 && Buffer.from(chunk).includes("[DONE]")) throw refusal;
          yield chunk;
        }
        throw refusal;
      },
    };
    start({ hooks: [hooks] });
    const answer = await harness.post(path, streamed);
    expect(answer.text).toContain("not that");
    expect(answer.text).not.toContain("[DONE]");
    expect(harness.settled[0]!.call).toMatchObject({ status: "failure", usage: { input: 7, output: 3 } });
  });

  it("are accounted before their last event passes a hook", async () => {
    const hooks = {
      async *postCallStream(_context: unknown, stream: AsyncIterable<Uint8Array>) {
        yield* stream;
      },
    };
    start({ hooks: [hooks] });
    const { reply } = await harness.open(path, streamed);
    if (!("stream" in reply)) throw new Error("no stream");
    let text = "";
    for await (const chunk of reply.stream) {
      text += Buffer.from(chunk).toString("utf8");
      if (text.includes("[DONE]")) expect(harness.settled[0]?.call.status).toBe("success");
    }
    expect(text).toContain("[DONE]");
  });

  it("stop the upstream when the caller leaves, and account what was used", async () => {
    const left = Promise.withResolvers<void>();
    start({
      script: (_seen, response) => {
        response.on("close", () => left.resolve());
        sendEvents(response, chatEvents.slice(0, 2), false);
      },
    });
    const controller = new AbortController();
    const { reply } = await harness.open(path, streamed, { signal: controller.signal });
    expect("stream" in reply).toBe(true);
    controller.abort();
    await left.promise;
    await expect
      .poll(() => harness.settled[0]?.call)
      .toMatchObject({ status: "aborted", usage: { input: 2, output: 2 } });
    expect(harness.reservations[0]!.end).toBe("settled");
  });

  it("stop the upstream of a caller who leaves before the first byte", async () => {
    const left = Promise.withResolvers<void>();
    const controller = new AbortController();
    start({
      config: config(2, { num_retries: 3 }),
      script: (_seen, response) => {
        response.on("close", () => left.resolve());
        controller.abort();
      },
    });
    await expect(harness.post(path, streamed, { signal: controller.signal })).rejects.toMatchObject({
      status: 499,
    });
    await left.promise;
    expect(harness.seen).toHaveLength(1);
    expect(harness.settled[0]!.call).toMatchObject({ status: "aborted", usage: { input: 2, output: 0 } });
  });
});

describe("failover", () => {
  function failingFirst(times: number, failure: (response: Parameters<typeof fail>[0]) => void): Script {
    let left = times;
    return (seen, response) => (left-- > 0 ? failure(response) : echo(seen, response));
  }

  it("goes to the next deployment and counts the retry", async () => {
    start({
      config: config(2, { num_retries: 1 }),
      script: failingFirst(1, (response) => fail(response, 503)),
    });
    const answer = await harness.post(path, body);
    expect(answer.json.model).toBe("up1");
    expect(answer.call).toMatchObject({ attemptedRetries: 1, attemptedFallbacks: 0, status: "success" });
    expect(answer.call.deployment!.id).toBe("d1");
  });

  it("leaves a deployment whose key is refused for another one", async () => {
    start({
      config: config(2, { num_retries: 2 }),
      script: failingFirst(1, (response) => fail(response, 401)),
    });
    expect((await harness.post(path, body)).json.model).toBe("up1");
    expect(harness.health.state("d0").cooldownMs).toBeGreaterThan(0);
  });

  it("does not repeat a request that the caller must change", async () => {
    start({ config: config(2, { num_retries: 5 }), script: (_seen, response) => fail(response, 400) });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 400 });
    expect(harness.seen).toHaveLength(1);
  });

  const badRequests: Script = (_seen, response) => fail(response, 400);

  it("tries again as often as the retry policy says for the class of the error", async () => {
    const retry_policy = { BadRequestErrorRetries: 1, InternalServerErrorRetries: 0, TimeoutErrorRetries: 3 };
    start({ config: config(1, { num_retries: 2, retry_policy }), script: badRequests });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 400 });
    expect(harness.seen).toHaveLength(2);
    start({
      config: config(2, { num_retries: 2, retry_policy }),
      script: (_seen, response) => fail(response, 500),
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 500 });
    expect(harness.seen).toHaveLength(1);
  });

  it("holds errors of no class of the policy to num_retries, or to its default", async () => {
    const busy: Script = (_seen, response) => fail(response, 503, { "retry-after": "0" });
    start({
      config: config(1, { num_retries: 2, retry_policy: { BadRequestErrorRetries: 9 } }),
      script: busy,
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 503 });
    expect(harness.seen).toHaveLength(3);
    start({ config: config(1, { num_retries: 2, retry_policy: { DefaultRetries: 0 } }), script: busy });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 503 });
    expect(harness.seen).toHaveLength(1);
  });

  it("puts a model group's retry policy in place of the general one, and the caller's wish above both", async () => {
    const router = {
      retry_policy: { BadRequestErrorRetries: 3, RateLimitErrorRetries: 3 },
      model_group_retry_policy: { [String(body.model)]: { BadRequestErrorRetries: 0 } },
    };
    start({ config: config(1, router), script: badRequests });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 400 });
    expect(harness.seen).toHaveLength(1);
    const headers = { "x-litellm-num-retries": "1" };
    await expect(harness.post(path, body, { headers })).rejects.toMatchObject({ status: 400 });
    expect(harness.seen).toHaveLength(3);
  });

  it("tries the same deployment again when there is no other, as often as the caller's header says", async () => {
    start({ script: (_seen, response) => fail(response, 503, { "retry-after": "0" }) });
    const headers = { "x-litellm-num-retries": "2" };
    await expect(harness.post(path, body, { headers })).rejects.toMatchObject({ status: 503 });
    expect(harness.seen).toHaveLength(3);
  });

  it("takes over before the first content of a stream, unseen by the caller", async () => {
    let calls = 0;
    start({
      config: config(4, { num_retries: 3 }),
      script: (seen, response) => {
        calls += 1;
        if (calls === 1) sendEvents(response, messageEvents.slice(0, 2));
        else if (calls === 2)
          sendEvents(response, [
            messageEvents[0]!,
            'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
          ]);
        else if (calls === 3) sendEvents(response, ["<html>oops</html>\n\n"]);
        else echo(seen, response);
      },
    });
    const answer = await harness.post("/v1/messages", { ...body, max_tokens: 5, stream: true });
    expect(answer.text).toBe(messageEvents.join(""));
    expect(answer.call.attemptedRetries).toBe(3);
  });

  it("turns an error event at the start into a plain HTTP error with the provider's words", async () => {
    const error =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n';
    start({ script: (_seen, response) => sendEvents(response, [error]) });
    const request = harness.post("/v1/messages", { ...body, max_tokens: 5, stream: true });
    await expect(request).rejects.toMatchObject({ status: 529, message: "busy" });
  });

  it.each([
    ["without another deployment, at its first event", 1, 60, [messageEvents[0]!]],
    ["with another one, at a ping", 2, 60, [messageEvents[0]!, 'event: ping\ndata: {"type":"ping"}\n\n']],
    ["with another one, when the hold is over", 2, 0.05, [messageEvents[0]!]],
    ["with another one, when the hold is over before any event", 2, 0.05, []],
  ])("hands over a stream that has no content yet: %s", async (_, count, stream_hold, events) => {
    let finish = (): void => undefined;
    start({
      config: config(count, { num_retries: 1, stream_hold }),
      script: (_seen, response) => {
        sendEvents(response, events, false);
        response.flushHeaders();
        finish = () => {
          for (const event of messageEvents.slice(Math.min(events.length, 1))) response.write(event);
          response.end();
        };
      },
    });
    const { reply } = await harness.open("/v1/messages", { ...body, max_tokens: 5, stream: true });
    expect(reply.status).toBe(200);
    finish();
    if (!("stream" in reply)) throw new Error("no stream");
    const chunks: Uint8Array[] = [];
    for await (const chunk of reply.stream) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8").replace('event: ping\ndata: {"type":"ping"}\n\n', "");
    expect(text).toBe(messageEvents.join(""));
    expect(harness.seen).toHaveLength(1);
  });

  it("falls back to other models: general, context window, content policy; and reports the first failure if none helps", async () => {
    const names = ["m", "b", "long", "lax"];
    const model_list = names.map((name) => ({
      model_name: name,
      litellm_params: { model: `openai/${name}`, api_key: "k" },
    }));
    let failure: readonly [number, object] = [503, { message: "down" }];
    start({
      config: {
        model_list,
        router_settings: {
          num_retries: 0,
          fallbacks: [{ m: ["missing", "b"] }, { b: ["long"] }],
          context_window_fallbacks: [{ m: ["long"] }],
          content_policy_fallbacks: [{ m: ["lax"] }],
        },
      },
      script: (seen, response) =>
        seen.json.model === "m" || (seen.json.model === "b" && failure[0] === 502)
          ? fail(response, failure[0], {}, { ...failure[1] })
          : echo(seen, response),
    });
    const answer = await harness.post(path, body);
    expect(answer.json.model).toBe("b");
    expect(answer.call).toMatchObject({ attemptedFallbacks: 1, model: "m" });
    failure = [400, { message: "x", code: "context_length_exceeded" }];
    expect((await harness.post(path, body)).json.model).toBe("long");
    failure = [400, { message: "x", code: "content_filter" }];
    expect((await harness.post(path, body)).json.model).toBe("lax");
    failure = [502, { message: "first" }];
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 502, message: "first" });
  });

  it("goes on to another deployment when one has no room, without counting a retry", async () => {
    start({
      config: config(2, {}, { rpm: 1 }),
      reserve: ({ deployment }) => {
        if (deployment?.id === "d0")
          throw new GatewayError(429, "rate_limit_error", "full", { retryAfter: 9 });
      },
    });
    const answer = await harness.post(path, body);
    expect(answer.json.model).toBe("up1");
    expect(answer.call.attemptedRetries).toBe(0);
    expect(harness.reservations.map(({ end }) => end)).toEqual(["settled", "settled"]);
  });

  it("answers 429 with the wait when every deployment rests", async () => {
    start({
      config: config(2, { num_retries: 1, allowed_fails: 0, cooldown_time: 60 }),
      script: (_seen, response) => fail(response, 503),
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 503 });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 429, retryAfter: 60 });
    expect(harness.seen).toHaveLength(2);
  });
});

describe("limits and permissions", () => {
  it("reserve before the call, with the tokens that it may use, and give back what a failed call did not use", async () => {
    start({ script: (_seen, response) => fail(response, 500) });
    await expect(harness.post(path, { ...body, max_tokens: 100 })).rejects.toMatchObject({ status: 500 });
    const { request, end } = harness.reservations[0]!;
    expect(request.estimatedTokens).toBeGreaterThan(100);
    expect(end).toBe("released");
    expect(harness.health.state("d0").inFlight).toBe(0);
  });

  it("Limits: a refusal of the limiter reaches the caller and nothing else", async () => {
    start({
      reserve: () => {
        throw new GatewayError(402, "budget_exceeded", "The budget of this key is used up");
      },
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 402 });
    expect(harness.seen).toEqual([]);
  });

  it("Authentication: a model that the key may not call is a 403, under its alias too", async () => {
    start();
    const principal = { models: ["other"] };
    await expect(harness.post(path, body, { principal })).rejects.toMatchObject({ status: 403 });
    expect((await harness.post(path, body, { principal: { models: ["m"] } })).status).toBe(200);
  });

  it("Authentication: an allowed region that excludes every deployment is a 403", async () => {
    start({ config: config(1, {}, { region_name: "us" }) });
    const eu = { principal: { allowedModelRegion: "eu" } };
    await expect(harness.post(path, body, eu)).rejects.toMatchObject({ status: 403 });
    expect((await harness.post(path, body, { principal: { allowedModelRegion: "us" } })).status).toBe(200);
  });

  it("count what a hook kept back after the provider had answered", async () => {
    start({
      hooks: [
        {
          postCallSuccess: () => {
            throw new GatewayError(403, "permission_error", "no");
          },
        },
      ],
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({ status: 403 });
    expect(harness.settled[0]!.call).toMatchObject({ status: "failure", usage: { input: 10, output: 5 } });
  });
});

describe("headers of the answer", () => {
  it("tell the upstream's rate limits in the words of the caller's family", async () => {
    start({
      script: (seen, response) => {
        response.setHeader("x-ratelimit-remaining-requests", "5");
        response.setHeader("x-ratelimit-reset-requests", "1m30s");
        response.setHeader("x-request-id", "req_1");
        response.setHeader("set-cookie", "a=b");
        echo(seen, response);
      },
    });
    const chat = await harness.post(path, body);
    expect(chat.headers).toMatchObject({ "x-ratelimit-remaining-requests": "5", "x-request-id": "req_1" });
    expect(chat.headers).not.toHaveProperty("set-cookie");
    const messages = await harness.post("/v1/messages", { ...body, max_tokens: 1 });
    expect(messages.headers["anthropic-ratelimit-requests-remaining"]).toBe("5");
    expect(Date.parse(messages.headers["anthropic-ratelimit-requests-reset"]!)).toBeGreaterThan(Date.now());
    expect(messages.headers).not.toHaveProperty("x-ratelimit-remaining-requests");
  });

  it("come with errors too, and with retry-after", async () => {
    start({
      script: (_seen, response) =>
        fail(response, 429, { "retry-after": "7", "anthropic-ratelimit-tokens-remaining": "0" }),
    });
    await expect(harness.post(path, body)).rejects.toMatchObject({
      status: 429,
      retryAfter: 7,
      headers: { "x-ratelimit-remaining-tokens": "0" },
    });
  });
});

describe("POST /v1/embeddings", () => {
  it("passes the request on and accounts it", async () => {
    const answer = await start().post("/v1/embeddings", { model: "m", input: ["a"] });
    expect(harness.seen[0]).toMatchObject({
      url: "/embeddings?secret=1",
      text: '{"model":"up","input":["a"]}',
    });
    expect(answer.call).toMatchObject({ callType: "aembedding", usage: { input: 10, output: 5 } });
  });

  it("refuses a body without input", async () => {
    await expect(start().post("/v1/embeddings", { model: "m" })).rejects.toMatchObject({
      status: 400,
      param: "input",
    });
  });
});
