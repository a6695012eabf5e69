import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { type CallRecord, newCallRecord } from "../../src/contract/call-record.ts";
import type { Deployment } from "../../src/contract/deployment.ts";
import { GatewayError } from "../../src/contract/errors.ts";
import type { Exchange, Reply, Route } from "../../src/contract/exchange.ts";
import type { Hooks } from "../../src/contract/hook.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { anonymous, type Principal } from "../../src/contract/principal.ts";
import type { Provider } from "../../src/contract/provider.ts";
import { LeftAttempts } from "../../src/core/call/left-attempts.ts";
import type { CallDeps } from "../../src/core/call/model-call.ts";
import { HookRunner } from "../../src/core/hooks/hook-runner.ts";
import { type FinishedCall, noLedger } from "../../src/core/ledger/ledger.ts";
import type { Reservation, ReservationRequest } from "../../src/core/limits/limiter.ts";
import { DeploymentHealth } from "../../src/core/routing/health.ts";
import { openChat } from "../../src/features/chat/routes.ts";
import { openEmbeddings } from "../../src/features/embeddings/routes.ts";
import { openMessages } from "../../src/features/messages/routes.ts";
import { chatDialect } from "../../src/formats/chat/chat-dialect.ts";
import { messagesDialect } from "../../src/formats/messages/messages-dialect.ts";
import { fixedConfig } from "../../src/platform/config/gateway-config.ts";
import { readConfig } from "../../src/platform/config/read/read-config.ts";
import { retryAfterSeconds } from "../../src/platform/transport/headers.ts";
import { Upstream } from "../../src/platform/transport/upstream.ts";

/** A request as the scripted provider saw it. */
export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly json: JsonObject;
}

/** Answers one request of a test's provider. */
export type Script = (seen: SeenRequest, response: ServerResponse) => void;

/** How a test wants its call path. */
export interface HarnessOptions {
  readonly config?: JsonObject;
  readonly commandLine?: Parameters<typeof readConfig>[3];
  readonly hooks?: readonly Hooks[];
  readonly script?: Script;
  readonly reserve?: (request: ReservationRequest) => void;
  /** Resolves when the row of a settled call survives the end of the process. */
  readonly written?: () => Promise<void>;
}

/** An answer with its stream read to the end. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: JsonObject;
  readonly call: CallRecord;
}

export interface PostOptions {
  readonly headers?: Record<string, string>;
  readonly principal?: Partial<Principal>;
  readonly signal?: AbortSignal;
}

/** The whole call path with a scripted provider behind it and everything else in memory. */
export class CallHarness {
  readonly seen: SeenRequest[] = [];
  readonly settled: FinishedCall[] = [];
  readonly reservations: { request: ReservationRequest; end: "open" | "settled" | "released" }[] = [];
  readonly health = new DeploymentHealth();
  readonly deps: CallDeps;
  readonly #server;
  readonly #upstream = new Upstream();
  readonly #routes: readonly Route[];

  constructor(options: HarnessOptions) {
    this.#server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const text = body.toString("utf8");
        const json = JSON.parse(text === "" ? "{}" : text) as JsonObject;
        const seen = { url: request.url ?? "", headers: request.headers, text, json };
        this.seen.push(seen);
        (options.script ?? echo)(seen, response);
      });
    }).listen(0, "127.0.0.1");
    const { config } = readConfig(
      "c.yaml",
      JSON.stringify(options.config ?? oneModel),
      {},
      options.commandLine,
    );
    this.deps = {
      config: fixedConfig(config),
      upstream: this.#upstream,
      health: this.health,
      limiter: {
        reserve: async (request) => {
          options.reserve?.(request);
          const entry: (typeof this.reservations)[number] = { request, end: "open" };
          this.reservations.push(entry);
          const reservation: Reservation = {
            settle: () => {
              entry.end = "settled";
            },
            handOverBudgets: () => reservation,
            release: () => {
              entry.end = "released";
            },
            keepUntilSpent: () => Promise.resolve(),
            headers: {},
            hold: undefined,
          };
          return reservation;
        },
        underModels: (principal) => principal,
        keptOf: async () => new Set<string>(),
        forget: () => Promise.resolve(),
        lowering: (work) => work(),
        pass: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      ledger: {
        ...noLedger,
        settleTogether: (finished) => {
          this.settled.push(finished);
          return options.written?.();
        },
      },
      hooks: new HookRunner({ modules: options.hooks ?? [] }, () => undefined),
      findProvider: (name) => (name === "unheard-of" ? undefined : this.#provider(name)),
      dialectOf: (format) => (format === "messages" ? messagesDialect : chatDialect),
      costOf: (_deployment, _model, usage) => usage.input * 0.001 + usage.output * 0.002,
      countTokens: async (body) => JSON.stringify(body.messages).split(/\s+/).length,
      references: { replacement: async ({ id }) => ({ id }), requireVisible: async () => undefined },
      leftAttempts: new LeftAttempts(pino({ level: "silent" })),
      random: () => 0,
    };
    const core = { calls: this.deps };
    this.#routes = [openChat, openMessages, openEmbeddings].flatMap((open) => open(core).routes);
  }

  async close(): Promise<void> {
    await this.#upstream.destroy();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Posts and reads the answer to its end; rejects with the error that HTTP would write. */
  async post(path: string, body: unknown, options: PostOptions = {}): Promise<Outcome> {
    const { reply, call } = await this.open(path, body, options);
    const text = "stream" in reply ? await textOf(reply.stream) : bodyText(reply.body);
    const json = text.startsWith("{") ? (JSON.parse(text) as JsonObject) : {};
    return { status: reply.status, headers: reply.headers ?? {}, text, json, call };
  }

  /** Posts and resolves with the reply as HTTP would get it, its stream unread. */
  async open(
    path: string,
    body: unknown,
    options: PostOptions = {},
  ): Promise<{ reply: Reply; call: CallRecord }> {
    if (!this.#server.listening) await once(this.#server, "listening");
    const { route, params } = this.#find(path);
    const call = newCallRecord(route.callType);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const signal = options.signal ?? new AbortController().signal;
    const exchange: Exchange = {
      callId: "call-1",
      method: "POST",
      path,
      query: new URLSearchParams(),
      headers: options.headers ?? {},
      params,
      family: route.family,
      principal: { ...anonymous, ...options.principal },
      signal,
      caller: signal,
      abort: () => undefined,
      outliveCaller: () => undefined,
      call,
      readBody: async () => Buffer.from(text),
      bodyStream: () => {
        throw new Error("not used here");
      },
    };
    return { reply: await route.handler(exchange), call };
  }

  #find(path: string): { route: Route; params: Record<string, string> } {
    for (const route of this.#routes) {
      const pattern = new RegExp(`^${route.path.replace(/:(\w+)/, "(?<$1>[^/]+)")}$`);
      const match = pattern.exec(path);
      if (match !== null) return { route, params: { ...match.groups } };
    }
    throw new Error(`no route ${path}`);
  }

  #provider(name: string): Provider {
    const { port } = this.#server.address() as AddressInfo;
    return {
      name,
      native: new Set(["chat", "messages", "embeddings"]),
      resources: new Set(name === "anthropic" ? ["count_tokens"] : []),
      address: (deployment: Deployment, operation) => ({
        url: `${deployment.apiBase ?? `http://127.0.0.1:${port}`}${operation.path}?secret=1`,
        headers: { authorization: `Bearer ${deployment.apiKey}`, "anthropic-version": "2023-06-01" },
      }),
      languageModel: () => {
        throw new Error("this provider speaks every format");
      },
      toError: (status, headers, body) => {
        const { error } = JSON.parse(body) as { error: { message: string; code?: string } };
        const retryAfter = retryAfterSeconds(headers, Date.now());
        return new GatewayError(status, status === 429 ? "rate_limit_error" : "api_error", error.message, {
          ...(retryAfter === undefined ? {} : { retryAfter }),
          ...(error.code === undefined ? {} : { providerCode: error.code }),
        });
      },
    };
  }
}

const oneModel = {
  model_list: [
    {
      model_name: "m",
      litellm_params: { model: "openai/up", api_key: "provider-key" },
      model_info: { id: "d0" },
    },
  ],
  router_settings: { num_retries: 0 },
};

/** A chat, messages or embeddings answer that says what it was asked. */
export const echo: Script = (seen, response) => {
  const tokens = {
    prompt_tokens: 10,
    completion_tokens: 5,
    input_tokens: 10,
    output_tokens: 5,
    total_tokens: 15,
  };
  response.setHeader("content-type", "application/json");
  if (seen.url.includes("count_tokens")) response.end(JSON.stringify({ input_tokens: 42 }));
  else if (seen.json.stream === true)
    sendEvents(response, seen.url.includes("/messages") ? messageEvents : chatEvents);
  else response.end(JSON.stringify({ id: "x", model: seen.json.model, usage: tokens }));
};

/** An answer with an error status. */
export function fail(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  error: JsonObject = { message: `status ${status}` },
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error }));
}

export function sendEvents(response: ServerResponse, events: readonly string[], end = true): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(event);
  if (end) response.end();
}

const chunk = (body: object): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", ...body })}\n\n`;

/** A whole chat stream of which the last chunk before the end carries the usage. */
export const chatEvents: readonly string[] = [
  chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] }),
  chunk({ choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: null }] }),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  chunk({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }),
  "data: [DONE]\n\n",
];

const named = (type: string, body: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;

/** A whole messages stream. */
export const messageEvents: readonly string[] = [
  named("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "up",
      content: [],
      usage: { input_tokens: 7, output_tokens: 1 },
    },
  }),
  named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  named("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hello" } }),
  named("content_block_stop", { index: 0 }),
  named("message_delta", {
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 3 },
  }),
  named("message_stop", {}),
];

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function bodyText(body: object | string | Uint8Array): string {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : JSON.stringify(body);
}
