import { mkdirSync, writeFileSync } from "node:fs";
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

const answer = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_750_000_000,
  model: "gpt-4o-mini",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: "The quick brown fox jumps over the lazy dog. ".repeat(12),
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
});

/** Starts two nginx processes: one that answers every request with a fixed completion, one that proxies to it. */
export async function startNginx(folder: string): Promise<NginxServers> {
  const [upstreamPort, proxyPort] = [await freePort(), await freePort()];
  const quoted = answer.replaceAll("'", "\\'");
  const upstream = await startServer(
    join(folder, "upstream"),
    upstreamPort,
    `location / { default_type application/json; return 200 '${quoted}'; }`,
    "",
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

function startServer(folder: string, port: number, location: string, http: string): Promise<RunningProcess> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${join(folder, "pid")}; error_log ${join(folder, "error.log")} crit;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000;
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
