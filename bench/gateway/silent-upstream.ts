import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider whose streams say one word and then nothing. It tells its parent its port. */
const first = {
  id: "chatcmpl-idle",
  object: "chat.completion.chunk",
  created: 1_750_000_000,
  model: "m",
  choices: [{ index: 0, delta: { role: "assistant", content: "well" }, finish_reason: null }],
};
const server = createServer((incoming, outgoing) => {
  incoming.resume().once("end", () => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.write(`data: ${JSON.stringify(first)}\n\n`);
  });
});
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
