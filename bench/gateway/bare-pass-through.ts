import { createServer } from "node:http";
import { Agent, request } from "undici";

/**
 * The least that a proxy on Node.js can do: node:http in front, undici behind, bodies piped, nothing looked at.
 * Usage: node bare-pass-through.ts PORT UPSTREAM_URL
 */
const [port, upstream] = process.argv.slice(2);
const dispatcher = new Agent({ pipelining: 1 });

createServer((incoming, outgoing) => {
  const { host: _, connection: __, ...headers } = incoming.headers;
  request(upstream! + incoming.url, {
    dispatcher,
    method: incoming.method as "POST",
    headers,
    body: incoming.method === "GET" ? null : incoming,
  }).then(
    (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.body.pipe(outgoing);
    },
    () => {
      outgoing.writeHead(502);
      outgoing.end();
    },
  );
}).listen(Number(port), "127.0.0.1");
