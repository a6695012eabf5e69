import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dataEvent, namedEvent } from "../../packages/gateway/src/formats/sse-event.ts";
import { type Format, PATHS } from "./matrix/cases.ts";

/** A provider of all formats whose streams say one word and then nothing. It tells its parent its port. */
const message = {
  ...{ id: "msg_idle", type: "message", role: "assistant", model: "m", content: [] },
  ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 5, output_tokens: 1 } },
};
const response = {
  ...{ id: "resp_idle", object: "response", created_at: 1_750_000_000, status: "in_progress" },
  ...{ model: "m", output: [], usage: null },
};
const item = { id: "msg_idle", type: "message", status: "in_progress", role: "assistant", content: [] };
const part = { item_id: "msg_idle", output_index: 0, content_index: 0 };
const FIRST: Readonly<Record<Format, string>> = {
  chat: dataEvent({
    ...{ id: "chatcmpl-idle", object: "chat.completion.chunk", created: 1_750_000_000, model: "m" },
    choices: [{ index: 0, delta: { role: "assistant", content: "well" }, finish_reason: null }],
  }),
  messages: named([
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "well" } },
  ]),
  responses: named([
    { type: "response.created", sequence_number: 0, response },
    { type: "response.output_item.added", sequence_number: 1, output_index: 0, item },
    {
      ...{ type: "response.content_part.added", sequence_number: 2, ...part },
      part: { type: "output_text", text: "", annotations: [] },
    },
    { type: "response.output_text.delta", sequence_number: 3, ...part, delta: "well" },
  ]),
};

function named(events: readonly { readonly type: string; readonly [member: string]: unknown }[]): string {
  return events.map((event) => namedEvent(event.type, event)).join("");
}

const server = createServer((incoming, outgoing) => {
  incoming.resume().once("end", () => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    const format = (Object.keys(PATHS) as Format[]).find((each) => incoming.url?.startsWith(PATHS[each]));
    outgoing.write(FIRST[format!]);
  });
});
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
