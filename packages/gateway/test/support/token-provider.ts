import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A provider whose every answer takes 100 tokens, streams as well. */
export interface TokenProvider {
  /** As `api_base`. */
  readonly url: string;
  close(): void;
}

const usage = { prompt_tokens: 50, completion_tokens: 50, total_tokens: 100 };

function streamTo(response: ServerResponse): void {
  response.setHeader("content-type", "text/event-stream");
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
  const delta = { role: "assistant", content: "hi" };
  for (const part of [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { choices: [], usage },
  ])
    response.write(`data: ${JSON.stringify({ ...chunk, ...part })}\n\n`);
  response.end("data: [DONE]\n\n");
}

export async function startProvider(): Promise<TokenProvider> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (/"stream":\s*true/.test(body)) return streamTo(response);
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          id: "chatcmpl-1",
          object: "chat.completion",
          created: 1,
          model: "m",
          choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hi" } }],
          usage,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}
