import { invalidRequest } from "../../../contract/errors.ts";
import type { Handler } from "../../../contract/exchange.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { readJsonObject } from "../../../contract/json-body.ts";
import type {
  SocketCall,
  SocketFailure,
  SocketNotice,
  SocketProtocol,
  SocketSession,
} from "../../../contract/socket.ts";
import { errorEvent, ResponseCall } from "./response-call.ts";
import { SocketMemories, type SocketMemory } from "./socket-memory.ts";

/** What the socket needs of the feature. */
export interface ResponseSocketParts {
  /** Answers `generate: false`. */
  readonly warmUp: Handler;
  /** Responses are stored unless their request says otherwise; else the connection remembers all of them. */
  readonly hasStore: boolean;
}

/** Characters of `stream_id`. */
const MAX_LANE = 256;

/**
 * The WebSocket mode of Responses (OpenAI API reference: WebSocket mode, Responses client and server events): each
 * `response.create` is a request, each event of its stream a frame.
 */
export function responseSocket(parts: ResponseSocketParts): SocketProtocol {
  const memories = new SocketMemories();
  return { open: (maxBytes) => new ResponseSession(parts, memories.open(maxBytes)) };
}

class ResponseSession implements SocketSession {
  readonly #parts: ResponseSocketParts;
  readonly #memory: SocketMemory;

  constructor(parts: ResponseSocketParts, memory: SocketMemory) {
    this.#parts = parts;
    this.#memory = memory;
  }

  read(frame: Buffer): SocketCall | SocketNotice {
    const body = readJsonObject(frame);
    const type = textOf(body, "type");
    // Clients tell when they have taken an answer in; nothing here waits for that.
    if (type === "response.processed") return { frames: [] };
    if (type === "response.steer") return { frames: [steeringRefused(body)] };
    if (type !== "response.create")
      throw invalidRequest(
        `type must be "response.create"${type === undefined ? "" : `, not "${type.slice(0, 100)}"`}`,
        "type",
      );
    const lane = textOf(body, "stream_id");
    if (lane !== undefined && (lane === "" || lane.length > MAX_LANE))
      throw invalidRequest(`stream_id must have 1 to ${MAX_LANE} characters`, "stream_id");
    if (body.background === true)
      throw invalidRequest("background is not supported over a WebSocket", "background");
    return new ResponseCall({
      frame,
      lane,
      previousId: textOf(body, "previous_response_id"),
      hasConversation: body.conversation != null,
      keeps: body.store === false || !this.#parts.hasStore,
      warmUp: body.generate === false ? this.#parts.warmUp : undefined,
      memory: this.#memory,
    });
  }

  failure(failure: SocketFailure): string {
    return JSON.stringify(errorEvent(failure));
  }

  expired(): SocketFailure {
    const message =
      "Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.";
    const code = "websocket_connection_limit_reached";
    const error = { message, type: "invalid_request_error", param: null, code };
    return { status: 400, body: { error }, headers: {} };
  }

  close(): void {
    this.#memory.clear();
  }
}

/** @throws GatewayError 400 */
function textOf(body: JsonObject, key: string): string | undefined {
  const value = body[key] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw invalidRequest(`${key} must be a string`, key);
}

/** Nothing is queued here, so the input goes back to who sent it. */
function steeringRefused(body: JsonObject): string {
  return JSON.stringify({
    type: "response.steer.failed",
    sequence_number: 0,
    steer: { previous_response_id: textOf(body, "previous_response_id") ?? "", input: body.input },
    error: {
      type: "invalid_request_error",
      code: "steering_not_supported",
      message: "Running responses cannot be steered here; send the input with the next response.create",
    },
  });
}
