import { once } from "node:events";
import { createServer } from "node:net";

/** A port can be taken by somebody else between the moment it is found and the moment a server listens on it. */
const mostPorts = 5;

/**
 * Below those that the system gives to connections and to servers that ask for any port (on Linux from 32768 on): a
 * server that stops and starts again at its address would now and then find a stranger's connection there.
 */
const LOWEST = 12_000;
const HIGHEST = 32_000;

/**
 * Starts a server that must be told its port, on one that is free.
 * @throws what `start` threw on the last of several ports
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      if (tries === mostPorts) throw error;
    }
  }
}

/** At random, since several tests look for one at the same moment. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
