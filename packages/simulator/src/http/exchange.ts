import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Readable, Writable } from "node:stream";
import type { Behaviour } from "../faults/behaviour.ts";
import type { Received } from "../journal/received.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import type { JsonObject } from "../util/json.ts";

/** A caller's request: one over HTTP, or a frame of a WebSocket. */
export type CallerRequest = Readable & Pick<IncomingMessage, "complete" | "headers" | "method">;

/** Where its answer goes. */
export interface CallerResponse extends Writable {
  readonly headersSent: boolean;
  statusCode: number;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  flushHeaders(): void;
}

/** One request on its way through the simulator. */
export interface Exchange {
  readonly state: SimulatorState;
  readonly request: CallerRequest;
  readonly response: CallerResponse;
  readonly method: string;
  /** The path below the provider's prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Variables of the route's pattern, decoded. */
  params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly received: Received;
  /** Text of a JSON body; empty before it is read and for other bodies. */
  text: string;
  /** Parsed JSON body; an empty object for none. */
  body: JsonObject;
  /** How the answer will be sent. */
  behaviour: Behaviour;
}
