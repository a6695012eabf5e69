import type { Directives } from "../answers/directives.ts";
import { mergeBehaviour, plainBehaviour } from "../faults/behaviour.ts";
import type { JsonObject } from "../util/json.ts";
import type { Exchange } from "./exchange.ts";
import { eventStream, json, type PiecesReply, type Reply } from "./reply.ts";
import { throwStatusFault } from "./status-fault.ts";

/** A checked call of a model, answered only when someone asks for the answer in one of its two forms. */
export interface ModelCall {
  readonly directives: Directives | undefined;
  readonly stream: boolean;
  json(): JsonObject;
  /** The events of the streamed answer. */
  events(): Iterable<string> | AsyncIterable<string>;
}

/** The answer to a model call, with the directives in its text laid over the exchange's behaviour. */
export function replyTo(
  exchange: Exchange,
  call: ModelCall,
  streamReply: (events: Iterable<string> | AsyncIterable<string>) => PiecesReply = eventStream,
): Reply {
  const asked = call.directives?.behaviour ?? plainBehaviour;
  if (asked !== plainBehaviour) {
    exchange.behaviour = mergeBehaviour(exchange.behaviour, asked);
    throwStatusFault(exchange.behaviour);
  }
  return call.stream ? streamReply(call.events()) : json(call.json());
}
