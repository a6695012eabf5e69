import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A host of one agent's own. */
export interface Front {
  readonly url: string;
  close(): void;
}

/**
 * Puts one agent of the gateway at the root of a host, where the kit looks for its card; a gateway has many agents at
 * one host. It says with each request what the kit means and does not say: `A2A-Version: 1.0`, which clients must send
 * (A2A 1.0, section 3.6.1; without it they count as 0.3), and for messages without a configuration
 * `returnImmediately`, because the kit goes on as if they had not been waited for (against section 3.2.2).
 * @param path the agent's path at the gateway
 * @param asIs adds nothing
 */
export async function openFront(gatewayUrl: string, path: string, asIs: boolean): Promise<Front> {
  const server = createServer(async (incoming, outgoing) => {
    const asked = incoming.url ?? "/";
    const target = asked.startsWith(path) ? asked : path + (asked === "/" ? "" : asked);
    const sent = await read(incoming);
    const body = asIs ? sent : completed(sent);
    const { "content-length": _, "transfer-encoding": __, ...headers } = incoming.headers;
    const options = {
      method: incoming.method,
      headers: { ...(asIs ? {} : { "a2a-version": "1.0" }), ...headers, "content-length": body.length },
    };
    const onward = request(new URL(target, gatewayUrl), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once("error", () => outgoing.destroy());
    outgoing.once("close", () => onward.destroy());
    onward.end(body);
  });
  await new Promise<void>((ready) => server.listen(0, "localhost", ready));
  return {
    // The kit takes a card with a numeric private address for a leak.
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A message that says nothing about waiting; everything else stays byte for byte, what is no JSON too. */
function completed(body: Buffer): Buffer {
  let call: { method?: unknown; params?: { configuration?: object } };
  try {
    call = JSON.parse(body.toString("utf8")) as typeof call;
  } catch {
    return body;
  }
  const { method, params } = call ?? {};
  if (method !== "SendMessage" || typeof params !== "object" || params === null) return body;
  const configuration = { returnImmediately: true, ...params.configuration };
  return Buffer.from(JSON.stringify({ ...call, params: { ...params, configuration } }));
}
