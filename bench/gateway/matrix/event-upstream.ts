import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** Milliseconds between two events. */
const EVERY = 2;

/**
 * A provider whose streams' events arrive one by one. It tells its parent its port.
 * Usage: node event-upstream.ts FOLDER
 */
const folder = process.argv[2]!;
const streams = new Map<string, readonly string[]>();

function eventsOf(path: string): readonly string[] {
  const known = streams.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(folder, path), "utf8");
  const events = text.split(/(?<=\n\n)/);
  streams.set(path, events);
  return events;
}

function sendFrom(events: readonly string[], at: number, outgoing: ServerResponse): void {
  if (at === events.length) outgoing.end();
  else {
    outgoing.write(events[at]!);
    setTimeout(sendFrom, EVERY, events, at + 1, outgoing);
  }
}

const server = createServer((incoming, outgoing) => {
  incoming.resume().once("end", () => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.flushHeaders();
    sendFrom(eventsOf(new URL(incoming.url!, "http://x").pathname), 0, outgoing);
  });
});
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
