import { once } from "node:events";
import { createServer } from "node:net";

/** A port can be taken by somebody else between the moment it is found and the moment a server listens on it. */
const mostPorts = 5;

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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
