import { once } from "node:events";
import WebSocket, { type ClientOptions } from "ws";
import type { JsonObject } from "../../src/contract/json.ts";

/** A WebSocket to a gateway, with the frames that came. */
export class SocketClient {
  readonly ws: WebSocket;
  readonly frames: JsonObject[] = [];
  #closed: { readonly code: number } | undefined;
  #wake: () => void = () => {};

  constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("message", (data: Buffer, isBinary: boolean) => {
      if (isBinary) throw new Error("a binary frame came");
      this.frames.push(JSON.parse(data.toString("utf8")) as JsonObject);
      this.#wake();
    });
    ws.on("close", (code) => {
      this.#closed = { code };
      this.#wake();
    });
    ws.on("error", () => {});
  }

  /** @throws Error for a connection that is refused, with its status as `status` and the answer as `body` */
  static async open(
    url: string,
    key: string,
    path = "/v1/responses",
    options: ClientOptions = {},
  ): Promise<SocketClient> {
    const ws = new WebSocket(url.replace("http", "ws") + path, {
      ...options,
      headers: { authorization: `Bearer ${key}`, ...options.headers },
    });
    const client = new SocketClient(ws);
    await new Promise<void>((opened, refused) => {
      ws.once("open", () => opened());
      ws.once("error", refused);
      ws.once("unexpected-response", (_request, response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text) => {
          body += text;
        });
        response.on("end", () =>
          refused(
            Object.assign(new Error("refused"), { status: response.statusCode, body: JSON.parse(body) }),
          ),
        );
      });
    });
    return client;
  }

  send(frame: object | string): void {
    this.ws.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** The next frame that fits, with those before it; they are taken off. */
  async until(fits: (frame: JsonObject) => boolean): Promise<JsonObject[]> {
    for (;;) {
      const at = this.frames.findIndex(fits);
      if (at >= 0) return this.frames.splice(0, at + 1);
      if (this.#closed !== undefined)
        throw new Error(
          `closed with ${this.#closed.code} after ${JSON.stringify(this.frames).slice(0, 2000)}`,
        );
      await new Promise<void>((woken) => {
        this.#wake = woken;
      });
    }
  }

  /** The frames of one answer, its end or error included. */
  async turn(body: object): Promise<JsonObject[]> {
    this.send({ type: "response.create", ...body });
    return this.until(isEnd);
  }

  /** The code that the connection is closed with. */
  async closed(): Promise<number> {
    while (this.#closed === undefined)
      await new Promise<void>((woken) => {
        this.#wake = woken;
      });
    return this.#closed.code;
  }

  async close(): Promise<void> {
    if (this.ws.readyState === WebSocket.CLOSED) return;
    this.ws.terminate();
    if (this.#closed === undefined) await once(this.ws, "close");
  }
}

/** Whether nothing of the same answer follows. */
export function isEnd({ type }: JsonObject): boolean {
  return /^(?:error|response\.(?:completed|incomplete|failed|steer\.failed))$/.test(String(type));
}
