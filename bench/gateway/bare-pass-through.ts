import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Agent, request } from "undici";

/**
 * The least that a proxy on Node.js can do: node:http in front, undici behind, bodies piped, nothing looked at. With
 * `parse` it reads each request's JSON and serialises it again, as a proxy must that looks at it or changes it.
 * Usage: node bare-pass-through.ts PORT UPSTREAM_URL [parse]
 */
const [port, upstream, parse] = process.argv.slice(2);
const dispatcher = new Agent({ pipelining: 1 });

createServer((incoming, outgoing) => {
  const { host: _, connection: __, ...headers } = incoming.headers;
  const forward = async () => {
    const isParsed = parse === "parse" && incoming.method !== "GET";
    if (isParsed) delete headers["content-length"];
    const body = isParsed ? JSON.stringify(JSON.parse(await text(incoming))) : incoming;
    return request(upstream! + incoming.url, {
      dispatcher,
      method: incoming.method as "POST",
      headers,
      body: incoming.method === "GET" ? null : body,
    });
  };
  forward().then(
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
