import { connect, type Socket } from "node:net";
import { createServer } from "node:tls";

/** TLS in front of a server on this machine that has none. */
export async function startSecureFront(
  certificate: { readonly key: string; readonly cert: string },
  behind: number,
): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer(certificate, (socket) => {
    sockets.add(socket);
    const onward = connect(behind, "127.0.0.1");
    onward.pipe(socket).pipe(onward);
    onward.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket
      .on("error", () => onward.destroy())
      .on("close", () => {
        sockets.delete(socket);
        onward.destroy();
      });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
