import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const usage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 };

/** A provider that answers each kind of the soak's calls. */
export async function startSoakUpstream(): Promise<{ readonly port: number; stop(): void }> {
  const server: Server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
    incoming.on("end", () => answer(text, outgoing));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(text: string, outgoing: ServerResponse): void {
  if (text.includes("leave before")) {
    setTimeout(() => outgoing.end(JSON.stringify({ id: "c", choices: [], usage })), 20);
  } else if (text.includes('"error"')) {
    outgoing.writeHead(400, { "content-type": "application/json" });
    outgoing.end('{"error":{"message":"wrong","type":"invalid_request_error","param":null,"code":null}}');
  } else if (!text.includes('"stream":true')) {
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ id: "c", object: "chat.completion", choices: [], usage }));
  } else {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = (choices: object[], more = {}): string =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices, ...more })}\n\n`;
    outgoing.write(
      chunk([{ index: 0, delta: { role: "assistant", content: "Hello" }, finish_reason: null }]),
    );
    const rest = (): void => {
      outgoing.write(chunk([{ index: 0, delta: { content: " there" }, finish_reason: null }]));
      outgoing.write(chunk([{ index: 0, delta: {}, finish_reason: "stop" }]));
      outgoing.write(chunk([], { usage }));
      outgoing.end("data: [DONE]\n\n");
    };
    if (text.includes("leave")) setTimeout(rest, 20);
    else rest();
  }
}
