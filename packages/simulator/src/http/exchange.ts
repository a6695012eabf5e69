import type { IncomingMessage, ServerResponse } from "node:http";
import type { Behaviour } from "../faults/behaviour.ts";
import type { Received } from "../journal/received.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import type { JsonObject } from "../util/json.ts";

/** One request on its way through the simulator. */
export interface Exchange {
  readonly state: SimulatorState;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
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
