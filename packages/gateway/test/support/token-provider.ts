import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider whose every answer takes 100 tokens. */
export interface TokenProvider {
  /** As `api_base`. */
  readonly url: string;
  close(): void;
}

export async function startProvider(): Promise<TokenProvider> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          id: "chatcmpl-1",
          object: "chat.completion",
          created: 1,
          model: "m",
          choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hi" } }],
          usage: { prompt_tokens: 50, completion_tokens: 50, total_tokens: 100 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}
