import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { dispatch, type Target } from "../dispatch.ts";
import type { Provider } from "../provider.ts";
import { FrameRequest } from "./frame-request.ts";
import { FrameResponse } from "./frame-response.ts";
import type { SocketFrame, SocketProtocol, SocketSession } from "./socket-protocol.ts";

const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;

/** One WebSocket of a provider; each of its frames goes the way of a request over HTTP. */
export class SocketConnection {
  readonly #state: SimulatorState;
  readonly #provider: Provider;
  readonly #target: Target;
  readonly #headers: IncomingHttpHeaders;
  readonly #session: SocketSession;
  readonly #ws: WebSocket;
  readonly #running = new Set<FrameResponse>();
  /** The end of the last frame of each lane. */
  readonly #lanes = new Map<string, Promise<void>>();

  constructor(
    state: SimulatorState,
    provider: Provider,
    protocol: SocketProtocol,
    ws: WebSocket,
    opened: { readonly target: Target; readonly headers: IncomingHttpHeaders },
  ) {
    this.#state = state;
    this.#provider = provider;
    this.#target = opened.target;
    this.#headers = opened.headers;
    this.#session = protocol.open();
    this.#ws = ws;
    const expiry = setTimeout(() => void this.#expire(), state.settings.socketLifetimeMs);
    ws.on("message", (data: Buffer, isBinary: boolean) => {
      if (isBinary) ws.close(UNSUPPORTED_DATA, "frames must be text");
      else this.#take(data);
    });
    ws.on("error", () => ws.terminate());
    ws.on("close", () => {
      clearTimeout(expiry);
      for (const response of this.#running) response.destroy();
    });
  }

  #take(data: Buffer): void {
    const frame = this.#session.read(data.toString("utf8"));
    if (frame === undefined) return;
    const before = this.#lanes.get(frame.lane) ?? Promise.resolve();
    const answered = before.then(() => this.#answer(frame, data));
    this.#lanes.set(frame.lane, answered);
  }

  async #answer(frame: SocketFrame, data: Buffer): Promise<void> {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    const response = new FrameResponse(this.#ws, frame);
    this.#running.add(response);
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    const route = { method: "POST", pattern: this.#target.path, handle: frame.handle.bind(frame) };
    const provider = { ...this.#provider, find: () => ({ route, params: {} }) };
    await dispatch(this.#state, provider, new FrameRequest(this.#headers, data), response, this.#target);
    await closed;
    this.#running.delete(response);
  }

  /** Says so and goes, after what is being answered. */
  async #expire(): Promise<void> {
    await Promise.all(this.#lanes.values());
    this.#ws.send(this.#session.expired(), () => this.#ws.close(GOING_AWAY));
  }
}
