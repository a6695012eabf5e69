import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, type RunningProcess, startProcess } from "./processes.ts";

/** The provider that every subject calls, and nginx as one of the subjects. */
export interface NginxServers {
  readonly upstreamUrl: string;
  readonly proxyPort: number;
  /** Of the proxy only. */
  readonly proxyPid: number;
  stop(): Promise<void>;
}

const SENTENCE = "The quick brown fox jumps over the lazy dog. ";

const completion = {
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_750_000_000,
  model: "gpt-4o-mini",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: SENTENCE.repeat(12),
        refusal: null,
      },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: {
    prompt_tokens: 120,
    completion_tokens: 108,
    total_tokens: 228,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  },
  service_tier: "default",
  system_fingerprint: "fp_bench",
};

/** What the provider answers: an ordinary completion, one of 45 KB, a stream of 60 events, or 16 vectors of 1536 numbers. */
export const ANSWERS = {
  short: JSON.stringify(completion),
  long: JSON.stringify(completion).replace(SENTENCE, SENTENCE.repeat(1000)),
  stream: [...Array(60).keys(), "usage"]
    .map((index) => ({
      id: completion.id,
      object: "chat.completion.chunk",
      created: completion.created,
      model: completion.model,
      choices:
        index === "usage"
          ? []
          : [{ index: 0, delta: { content: "fox jumps" }, finish_reason: index === 59 ? "stop" : null }],
      ...(index === "usage" ? { usage: completion.usage } : {}),
    }))
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .join("")
    .concat("data: [DONE]\n\n"),
  embeddings: JSON.stringify({
    object: "list",
    data: Array.from({ length: 16 }, (_, index) => ({
      object: "embedding",
      index,
      embedding: Array.from({ length: 1536 }, (_, at) => Math.sin(index * 1536 + at)),
    })),
    model: "text-embedding-3-small",
    usage: { prompt_tokens: 100, total_tokens: 100 },
  }),
} as const;

export type AnswerKind = keyof typeof ANSWERS;

/**
 * Starts two nginx processes: one that answers every request with a fixed completion, one that proxies to it.
 * @param readsFirst whether the answer waits for the whole request, as providers do; nginx alone answers behind the
 *   head, at which undici and others close a connection that still has much to send
 */
export async function startNginx(
  folder: string,
  answer: AnswerKind = "short",
  readsFirst = false,
): Promise<NginxServers> {
  const [upstreamPort, proxyPort] = [await freePort(), await freePort()];
  const location = locationOf(folder, answer);
  const behind = readsFirst ? await freePort() : undefined;
  const upstream =
    behind === undefined
      ? await startServer(join(folder, "upstream"), upstreamPort, location, "")
      : await startServer(
          join(folder, "upstream"),
          upstreamPort,
          `location / { proxy_pass http://answers; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_pass_request_body off; proxy_set_header Content-Length ""; }`,
          `upstream answers { server 127.0.0.1:${behind}; keepalive 64; }
  server { listen 127.0.0.1:${behind}; ${location} }`,
        );
  const proxy = await startServer(
    join(folder, "proxy"),
    proxyPort,
    `location / { proxy_pass http://upstream; proxy_http_version 1.1; proxy_set_header Connection "";
      access_log ${join(folder, "proxy", "access.log")}; }`,
    `upstream upstream { server 127.0.0.1:${upstreamPort}; keepalive 64; }`,
  );
  return {
    upstreamUrl: `http://127.0.0.1:${upstreamPort}`,
    proxyPort,
    proxyPid: proxy.pid,
    stop: async () => {
      await proxy.stop();
      await upstream.stop();
    },
  };
}

/** nginx takes no long text in its configuration; longer answers are files, which it does not let be posted to. */
function locationOf(folder: string, answer: AnswerKind): string {
  const type = `default_type ${answer === "stream" ? "text/event-stream" : "application/json"};`;
  if (answer === "short")
    return `location / { ${type} return 200 '${ANSWERS.short.replaceAll("'", "\\'")}'; }`;
  // nginx started by root reads files as nobody.
  chmodSync(folder, 0o755);
  const root = join(folder, "answers");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "answer"), ANSWERS[answer]);
  return `location / { error_page 405 =200 /answer; return 405; }
    location = /answer { internal; ${type} root ${root}; }`;
}

/** Starts nginx with one server, with what the location says and what else stands beside the server. */
export function startServer(
  folder: string,
  port: number,
  location: string,
  http: string,
): Promise<RunningProcess> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${join(folder, "pid")}; error_log ${join(folder, "error.log")} crit;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000; client_max_body_size 0; client_body_buffer_size 4m;
  client_body_temp_path ${join(folder, "body")}; proxy_temp_path ${join(folder, "proxied")};
  fastcgi_temp_path ${join(folder, "f")}; uwsgi_temp_path ${join(folder, "u")}; scgi_temp_path ${join(folder, "s")};
  ${http}
  server { listen 127.0.0.1:${port}; ${location} }
}
`,
  );
  const options = { command: "nginx", args: ["-c", file, "-p", folder], logFile: join(folder, "log") };
  return startProcess(options, port, 20);
}
