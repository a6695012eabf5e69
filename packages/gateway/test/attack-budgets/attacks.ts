import { randomUUID } from "node:crypto";
import { message, rpc } from "../support/a2a.ts";
import type { ChildGateway } from "../support/gateway.ts";

/** What came of one try to spend: it was let through, refused for the budget, told to come back, or failed otherwise. */
export type Outcome = "passed" | "refused" | "later" | "failed";

/** A way to spend more than a budget has. */
export interface Attack {
  readonly name: string;
  /** US dollars of one call. */
  readonly cost: number;
  /** Callers at the same moment, and tries of each; absent: until the budget refuses it. */
  readonly callers?: number;
  readonly tries?: number;
  /** The whole budget can be spent by it, so that nobody may be refused before. */
  readonly spendsAll: boolean;
  send(gateway: ChildGateway, key: string): Promise<Outcome>;
  /** Whether what was begun is over. */
  isOver?(gateway: ChildGateway): Promise<boolean>;
}

const WORDS = "[[sim:tokens 1000]] [[sim:latency 200]]";
/** 1,000 tokens. */
const CALL = 0.01;
const CHAT = "/v1/chat/completions";
const user = (content: string) => ({ role: "user", content });

/** Posts and reads to the end. */
function post(path: string, body: object, headers: Record<string, string> = {}): Attack["send"] {
  return async (gateway, key) => outcomeOfAnswer(await gateway.call(path, { key, body, headers }));
}

/** Reads an answer to the end; one that neither passes nor refuses is thrown, so that the table says what it was. */
async function outcomeOfAnswer(answer: Response, passes?: number): Promise<Outcome> {
  const text = await answer.text();
  const outcome = answer.status === passes ? "passed" : outcomeOf(answer.status);
  if (outcome === "failed") throw new Error(`${answer.status} ${text.slice(0, 200)}`);
  return outcome;
}

export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return "passed";
  if (status === 402) return "refused";
  return status === 429 ? "later" : "failed";
}

/** Leaves after some milliseconds, or once the answer begins. */
function leaving(
  path: string,
  body: object,
  when: number | "first byte",
  headersOf: () => Record<string, string> = () => ({}),
): Attack["send"] {
  return async (gateway, key) => {
    const controller = new AbortController();
    const timer = typeof when === "number" ? setTimeout(() => controller.abort(), when) : undefined;
    try {
      const headers = headersOf();
      const answer = await gateway.call(path, { key, body, headers, signal: controller.signal });
      if (answer.status !== 200) return outcomeOfAnswer(answer);
      await answer.body?.getReader().read();
      controller.abort();
      return "passed";
    } catch (error) {
      if ((error as Error).name !== "AbortError") throw error;
      return "passed";
    } finally {
      clearTimeout(timer);
    }
  };
}

const simple = (name: string, path: string, body: object, cost = CALL): Attack => ({
  name,
  cost,
  spendsAll: true,
  send: post(path, body),
});

/** Batches of ten rows, each of which asks for so many answers. */
function batches(name: string, model: string, url: string, execution: string, n?: number): Attack {
  const ids: string[] = [];
  const rows = Array.from({ length: 10 }, (_, index) =>
    JSON.stringify({
      custom_id: String(index),
      method: "POST",
      url,
      body: { model, max_tokens: 1000, messages: [user(WORDS)], n },
    }),
  ).join("\n");
  return {
    name,
    cost: CALL * (n ?? 1),
    callers: 4,
    tries: 2,
    spendsAll: false,
    send: async (gateway, key) => {
      const form = new FormData();
      form.append("purpose", "batch");
      form.append("model", model);
      form.append("file", new File([rows], "rows.jsonl"));
      const file = await gateway.call("/v1/files", { key, body: form });
      if (file.status !== 200) return outcomeOfAnswer(file);
      const { id } = (await file.json()) as { id: string };
      const body = { input_file_id: id, endpoint: url, completion_window: "24h", model, execution };
      const made = await gateway.call("/v1/batches", { key, body });
      if (made.status !== 200) return outcomeOfAnswer(made);
      ids.push(((await made.json()) as { id: string }).id);
      return "passed";
    },
    isOver: async (gateway) => {
      for (const id of ids) {
        const answer = await gateway.call(`/v1/batches/${id}`);
        const { status } = (await answer.json()) as { status: string };
        if (!["completed", "failed", "expired", "cancelled"].includes(status)) return false;
      }
      return true;
    },
  };
}

/** Responses in the background: accepted long before they are over. */
function background(name: string, model: string, spendsAll: boolean): Attack {
  const ids: string[] = [];
  return {
    name,
    cost: CALL,
    spendsAll,
    tries: 30,
    send: async (gateway, key) => {
      const body = { model, input: WORDS, background: true };
      const answer = await gateway.call("/v1/responses", { key, body });
      if (answer.status !== 200) return outcomeOfAnswer(answer);
      ids.push(((await answer.json()) as { id: string }).id);
      return "passed";
    },
    isOver: async (gateway) => {
      for (const id of ids) {
        const answer = await gateway.call(`/v1/responses/${id}`);
        const { status } = (await answer.json()) as { status: string };
        if (["queued", "in_progress"].includes(status)) return false;
      }
      return true;
    },
  };
}

/**
 * Every attack; they are made anew for each fault.
 * @param named what the attacks call a model
 */
export function makeAttacks(named: (model: string) => string = (model) => model): readonly Attack[] {
  const [gpt, claude, words, film] = ["gpt", "claude", "words", "film"].map(named) as [
    string,
    string,
    string,
    string,
  ];
  const chat = { model: gpt, messages: [user(WORDS)] };
  return [
    simple("chat, no limit", CHAT, chat),
    simple("chat, limited", CHAT, { ...chat, max_tokens: 1000 }),
    simple("n answers", CHAT, { ...chat, n: 5, max_tokens: 1000 }, 5 * CALL),
    simple("streams", CHAT, { ...chat, stream: true, max_tokens: 1000 }),
    simple("messages, translated", "/v1/messages", { ...chat, max_tokens: 1000 }),
    simple("responses", "/v1/responses", { model: gpt, input: WORDS, max_output_tokens: 1000 }),
    simple("responses, translated", "/v1/responses", {
      model: claude,
      input: WORDS,
      max_output_tokens: 1000,
    }),
    simple("Google's generateContent", `/v1beta/models/${gpt}:generateContent`, {
      contents: [{ role: "user", parts: [{ text: WORDS }] }],
      generationConfig: { maxOutputTokens: 1000 },
    }),
    simple("embeddings", "/v1/embeddings", { model: words, input: "1234".repeat(1000) }),
    simple("videos", "/v1/videos", { model: film, prompt: "x", seconds: "4" }),
    simple("videos by id", "/v1/videos", { model: "film-1", prompt: "x", seconds: "4" }),
    {
      name: "videos by form",
      cost: CALL,
      spendsAll: true,
      send: async (gateway, key) => {
        const form = new FormData();
        for (const [name, value] of Object.entries({ model: film, prompt: "x", seconds: "4" }))
          form.append(name, value);
        return outcomeOfAnswer(await gateway.call("/v1/videos", { key, body: form }));
      },
    },
    {
      name: "callers leave whole answers",
      cost: CALL,
      spendsAll: true,
      send: leaving(CHAT, { ...chat, max_tokens: 1000 }, 60),
    },
    {
      name: "callers set a short time",
      cost: CALL,
      spendsAll: true,
      send: async (gateway, key) => {
        const headers = { "x-portico-timeout": "0.05" };
        const body = { ...chat, max_tokens: 1000 };
        const answer = await gateway.call(CHAT, { key, body, headers });
        return outcomeOfAnswer(answer, 504);
      },
    },
    {
      name: "callers set a short time for several tries",
      cost: CALL,
      spendsAll: true,
      send: async (gateway, key) => {
        const headers = { "x-portico-timeout": "0.05", "x-portico-num-retries": "3" };
        const body = { ...chat, max_tokens: 1000 };
        const answer = await gateway.call(CHAT, { key, body, headers });
        return outcomeOfAnswer(answer, 504);
      },
    },
    {
      name: "callers leave streams",
      cost: CALL,
      tries: 10,
      spendsAll: false,
      send: leaving(CHAT, { ...chat, stream: true, max_tokens: 1000 }, "first byte"),
    },
    {
      name: "callers leave streams that go on",
      cost: CALL,
      tries: 10,
      spendsAll: false,
      send: leaving(CHAT, { ...chat, stream: true, max_tokens: 1000 }, "first byte", () => ({
        "idempotency-key": randomUUID(),
      })),
    },
    background("background, at the provider", gpt, true),
    background("background, here", claude, false),
    batches("batches, at the provider", gpt, CHAT, "auto"),
    batches("batches, translated", claude, "/v1/messages", "auto"),
    batches("batches, here", gpt, CHAT, "gateway"),
    batches("batches of n answers, here", gpt, CHAT, "gateway", 5),
    {
      name: "agents",
      cost: CALL,
      spendsAll: false,
      tries: 6,
      send: async (gateway, key) => {
        const answer = await rpc(gateway, "clerk", "SendMessage", message(WORDS), { key });
        const text = JSON.stringify(answer);
        if (/TASK_STATE_COMPLETED/.test(text)) return "passed";
        if (/budget/.test(text)) return "refused";
        throw new Error(text.slice(0, 200));
      },
    },
    {
      name: "token counts",
      cost: CALL,
      tries: 3,
      spendsAll: false,
      send: post("/v1/messages/count_tokens", { model: claude, messages: [user("x")] }),
    },
    {
      name: "a model without a price",
      cost: CALL,
      tries: 1,
      spendsAll: false,
      send: post(CHAT, { ...chat, model: "unpriced" }),
    },
  ];
}
