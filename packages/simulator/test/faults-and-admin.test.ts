import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator();
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

function chat(content: string, headers: Record<string, string> = {}, stream = true, signal?: AbortSignal) {
  return fetch(`${simulator.url}/openai/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer any", ...headers },
    body: JSON.stringify({ model: "gpt-4o", stream, messages: [{ role: "user", content }] }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function admin<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  return (await (await fetch(`${simulator.url}/_admin/${path}`, init)).json()) as T;
}

/** Bytes that arrive before the body ends or breaks, and whether it broke. */
async function arriving(response: Response): Promise<{ text: string; pieces: number; broke: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let pieces = 0;
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      pieces += 1;
    }
    return { text, pieces, broke: false };
  } catch {
    return { text, pieces, broke: true };
  }
}

describe("faults", () => {
  test("cut the connection after exactly so many bytes of the body", async () => {
    const whole = await arriving(await chat("hello"));
    await simulator.reset();
    const cut = await arriving(await chat("hello", { "x-sim-fault": "cut=333" }));
    expect(cut.broke).toBe(true);
    expect(cut.text).toHaveLength(333);
    expect(whole.text.length).toBeGreaterThan(333);
  });

  test("break a stream by garbage, an error event, nothing at all, or too much", async () => {
    expect((await arriving(await chat("a [[sim:fault garbage]]"))).text).toContain("not json");
    expect((await arriving(await chat("a [[sim:fault error-event]]"))).text).toMatch(
      /data: \{"error":\{[^\n]+\n\n$/,
    );
    expect((await arriving(await chat("a [[sim:fault empty]]"))).text).toBe("");
    expect((await arriving(await chat("a [[sim:fault oversized=300000]]"))).text.length).toBeGreaterThan(
      300_000,
    );
    await expect(chat("a [[sim:fault disconnect]]")).rejects.toThrow();
  });

  test("hang without a status line, or stall in mid-stream, until the caller leaves", async () => {
    for (const fault of ["hang", "stall"]) {
      const leaving = new AbortController();
      const answer = chat(`a [[sim:fault ${fault}]]`, {}, true, leaving.signal);
      const outcome = answer.then(arriving).catch(() => "no answer");
      if (fault === "hang") await expect.poll(() => simulator.received().length).toBe(1);
      else await answer;
      leaving.abort();
      expect(await outcome).toEqual(
        fault === "hang" ? "no answer" : expect.objectContaining({ broke: true }),
      );
    }
    await expect.poll(() => simulator.received().map((entry) => entry.aborted)).toEqual([true, true]);
  });

  test("do not change the bytes when they only re-chunk or delay them", async () => {
    const plain = await arriving(await chat("grüße 🎉 an alle", {}, false));
    await simulator.reset();
    const headers = { "x-sim-chunk-bytes": "1", "x-sim-latency-ms": "1", "x-sim-ttft-ms": "1" };
    const split = await arriving(await chat("grüße 🎉 an alle", headers, false));
    const withoutTime = (text: string) => text.replace(/"created":\d+/, "");
    expect(withoutTime(split.text)).toBe(withoutTime(plain.text));
    expect(simulator.received()[0]?.chunks).toBe(Buffer.byteLength(split.text));
  });

  test("strike by path and model as often as a rule says", async () => {
    await admin("POST", "faults", {
      path: "/openai",
      model: "gpt-*",
      fault: "status=503;retry-after=7",
      times: 2,
    });
    const statuses: number[] = [];
    for (let call = 0; call < 3; call++) {
      const response = await chat("x", {}, false);
      statuses.push(response.status);
      if (call === 0) expect(response.headers.get("retry-after")).toBe("7");
    }
    expect(statuses).toEqual([503, 503, 200]);
    const refused = await admin<{ error: { message: string } }>("POST", "faults", { fault: "explode" });
    expect(refused.error.message).toContain("unknown");
  });

  test("strike one method alone where a rule names it", async () => {
    const list = async (): Promise<number> =>
      (await fetch(`${simulator.url}/openai/v1/batches`, { headers: { authorization: "Bearer k" } })).status;
    await admin("POST", "faults", { method: "post", path: "/openai", fault: "status=503", times: 1 });
    expect(await list()).toBe(200);
    expect((await chat("x", {}, false)).status).toBe(503);
    expect((await chat("x", {}, false)).status).toBe(200);
  });

  test("leave an answer of the length asked for", async () => {
    const body = JSON.parse((await arriving(await chat("x", { "x-sim-tokens": "120" }, false))).text);
    expect(body.usage.completion_tokens).toBe(120);
  });
});

describe("the admin endpoints", () => {
  test("show what was received, narrowed by path and by sequence", async () => {
    await chat("one", { "x-trace": "t1" }, false);
    await chat("two", {}, false);
    const { requests } = await admin<{ requests: { sequence: number }[] }>("GET", "requests?path=/openai");
    expect(requests).toMatchObject([
      {
        method: "POST",
        path: "/openai/v1/chat/completions",
        status: 200,
        headers: { "x-trace": "t1" },
        model: "gpt-4o",
      },
      { body: { messages: [{ content: "two" }] }, aborted: false, done: true },
    ]);
    const since = await admin<{ requests: unknown[] }>("GET", `requests?since=${requests[0]?.sequence}`);
    expect(since.requests).toHaveLength(1);
    expect((await admin<{ requests: unknown[] }>("GET", "requests?path=/anthropic")).requests).toEqual([]);
  });

  test("count calls by path and model also with the journal off", async () => {
    await admin("POST", "settings", { journal: false });
    await chat("one", {}, false);
    expect(await admin("GET", "counters")).toEqual({
      total: 1,
      paths: { "/openai/v1/chat/completions": 1 },
      models: { "gpt-4o": 1 },
      tokens: { "gpt-4o": { input: 1, output: 3 } },
    });
    expect(simulator.received()).toEqual([]);
    await admin("POST", "reset");
    expect(await admin("GET", "counters")).toMatchObject({ total: 0 });
  });
});

test("a compatible host has chat, embeddings and models, and nothing else", async () => {
  const ask = async (path: string) =>
    (await fetch(`${simulator.url}/compat/v1${path}`, { headers: { authorization: "Bearer any" } })).status;
  expect(await ask("/models")).toBe(200);
  for (const path of ["/files", "/batches", "/responses/resp_1", "/containers"])
    expect(await ask(path)).toBe(404);
});

test("the same requests after a reset get the same ids", async () => {
  const id = async () => JSON.parse((await arriving(await chat("same", {}, false))).text).id;
  await simulator.reset();
  const first = [await id(), await id()];
  await simulator.reset();
  expect([await id(), await id()]).toEqual(first);
  expect(first[0]).not.toBe(first[1]);
});
