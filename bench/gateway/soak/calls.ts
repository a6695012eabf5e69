import { Agent, request } from "node:http";

/** What one call of the soak does; they take turns. */
export const kinds = ["whole", "stream", "leave in the stream", "leave before the answer", "error"] as const;
export type Kind = (typeof kinds)[number];

const agent = new Agent({ keepAlive: true });

/** Makes one call and resolves when it has ended, whichever way. */
export function call(port: number, key: string, kind: Kind): Promise<void> {
  return new Promise((resolve) => {
    const body = JSON.stringify({
      model: "m",
      stream: kind.includes("stream"),
      messages: [{ role: "user", content: kind }],
    });
    const outgoing = request(
      {
        port,
        agent,
        host: "127.0.0.1",
        path: "/v1/chat/completions",
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        },
      },
      (incoming) => {
        if (kind === "leave in the stream") incoming.once("data", () => outgoing.destroy());
        else incoming.resume();
        incoming.on("close", resolve);
      },
    );
    outgoing.on("error", () => resolve());
    outgoing.end(body);
    if (kind === "leave before the answer") setTimeout(() => outgoing.destroy(), 2);
  });
}
