import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Stands in front of a server that speaks over TCP, and has each request wait. */
export interface SlowFront {
  readonly port: number;
  /** Milliseconds that each request waits from now on. */
  delay: number;
  /** Requests so far, by the pieces in which they came. */
  requests: number;
  close(): Promise<void>;
}

/** Starts one in front of a port of this machine. What the server answers is not held up. */
export async function startSlowFront(target: number): Promise<SlowFront> {
  const sockets = new Set<Socket>();
  const front = { port: 0, delay: 0, requests: 0, close: async () => {} };
  const server = createServer((caller) => {
    const behind = connect(target, "127.0.0.1");
    for (const socket of [caller, behind]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        caller.destroy();
        behind.destroy();
      });
    }
    behind.pipe(caller);
    let before = Promise.resolve();
    caller.on("data", (piece: Buffer) => {
      front.requests += 1;
      // One after the other, as a server that is busy with each of them for so long.
      before = before.then(async () => {
        if (front.delay > 0) await sleep(front.delay);
        if (!behind.destroyed) behind.write(piece);
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  front.port = (server.address() as AddressInfo).port;
  front.close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return front;
}
