import { fork } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "../processes.ts";
import { startServer } from "../upstream.ts";
import { recordAnswers } from "./recorded-answers.ts";

/** The provider that every subject calls, and nginx in front of it as one of the subjects. */
export interface MatrixUpstream {
  readonly url: string;
  readonly answers: string;
  readonly proxyPort: number;
  readonly proxyPid: number;
  stop(): Promise<void>;
}

/** Below each mode's name it serves the recorded answers; a request is read to its end before it is answered, as providers do. */
export async function startMatrixUpstream(folder: string): Promise<MatrixUpstream> {
  // nginx started by root reads files as nobody.
  chmodSync(folder, 0o755);
  const answers = join(folder, "answers");
  mkdirSync(answers, { recursive: true });
  await recordAnswers(answers);
  const slow = fork(resolve(import.meta.dirname, "event-upstream.ts"), [answers], { execArgv: [] });
  const slowPort = await new Promise<number>((ready) =>
    slow.once("message", (port) => ready(port as number)),
  );
  const [port, behind, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const keptAlive = 'proxy_http_version 1.1; proxy_set_header Connection "";';
  const upstream = await startServer(
    join(folder, "upstream"),
    port,
    `location / { proxy_pass http://files; ${keptAlive} proxy_pass_request_body off; proxy_set_header Content-Length ""; }
    location /events/ { proxy_pass http://slow; ${keptAlive} proxy_buffering off; proxy_pass_request_body off;
      proxy_set_header Content-Length ""; }`,
    `upstream files { server 127.0.0.1:${behind}; keepalive 300; }
  upstream slow { server 127.0.0.1:${slowPort}; keepalive 300; }
  server { listen 127.0.0.1:${behind}; types {}
    location / { error_page 405 =200 /files$uri; return 405; }
    location /files/whole/ { internal; default_type application/json; alias ${answers}/whole/; }
    location /files/burst/ { internal; default_type text/event-stream; alias ${answers}/burst/; } }`,
  );
  const proxy = await startServer(
    join(folder, "proxy"),
    proxyPort,
    `location / { proxy_pass http://upstream; ${keptAlive} proxy_buffering off; access_log ${join(folder, "proxy", "access.log")}; }`,
    `upstream upstream { server 127.0.0.1:${port}; keepalive 300; }`,
  );
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    proxyPort,
    proxyPid: proxy.pid,
    stop: async () => {
      await proxy.stop();
      await upstream.stop();
      slow.kill();
    },
  };
}
