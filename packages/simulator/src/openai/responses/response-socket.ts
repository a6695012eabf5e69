import type { Exchange } from "../../http/exchange.ts";
import { replyTo } from "../../http/model-call.ts";
import type { Reply } from "../../http/reply.ts";
import type { SocketFrame, SocketProtocol, SocketSession } from "../../http/socket/socket-protocol.ts";
import { type JsonObject, parseObject, stringOf } from "../../util/json.ts";
import { checkParameters } from "../check-parameters.ts";
import { invalidRequest } from "../failures.ts";
import { type ResponseAccount, responseCall } from "./response-call.ts";
import type { ResponseRecord } from "./response-record.ts";

/**
 * The WebSocket mode of `/v1/responses` (OpenAI API reference: WebSocket mode): `response.create` is a request, each
 * event of its stream a frame. A connection remembers the last response that nobody stores.
 */
export function responseSocket(account: ResponseAccount): SocketProtocol {
  return { path: "/v1/responses", open: () => new ResponseSession(account) };
}

class ResponseSession implements SocketSession {
  readonly #account: ResponseAccount;
  #last: ResponseRecord | undefined;

  constructor(account: ResponseAccount) {
    this.#account = {
      ...account,
      remembered: (id) => (this.#last?.id === id ? this.#last : undefined),
      remember: (record) => {
        this.#last = record;
      },
    };
  }

  read(text: string): SocketFrame | undefined {
    // Whoever reads another frame as the body of a request refuses it.
    const frame = parseObject(text) ?? {};
    if (frame.type === "response.processed") return undefined;
    const lane = stringOf(frame.stream_id);
    const labelled = (event: string): string =>
      lane === undefined ? event : `${event.slice(0, -1)},"stream_id":${JSON.stringify(lane)}}`;
    return {
      lane: lane ?? "",
      handle: (exchange) => this.#create(exchange),
      event: labelled,
      whole: (status, body, headers) =>
        labelled(JSON.stringify({ type: "error", status, error: parseObject(body)?.error ?? null, headers })),
    };
  }

  expired(): string {
    const message =
      "Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.";
    const code = "websocket_connection_limit_reached";
    const error = { type: "invalid_request_error", code, message, param: null };
    return JSON.stringify({ type: "error", status: 400, error });
  }

  #create(exchange: Exchange): Reply {
    const {
      type,
      stream_id: _lane,
      generate,
      stream: _stream,
      background: _background,
      ...body
    } = exchange.body;
    if (type !== "response.create") {
      const message = `Invalid value: '${stringOf(type) ?? ""}'. Supported values are: 'response.create'.`;
      throw invalidRequest(message, "type", "invalid_value");
    }
    try {
      checkParameters("/responses", body, "openai");
      return this.#reply(exchange, { ...body, stream: true }, generate !== false);
    } catch (error) {
      // A turn that fails takes what it went on from along.
      if (this.#last?.id === body.previous_response_id) this.#last = undefined;
      throw error;
    }
  }

  #reply(exchange: Exchange, body: JsonObject, generates: boolean): Reply {
    const { state, text: seed, behaviour } = exchange;
    const options = { flavour: "openai", seed, tokens: behaviour.tokens, generates } as const;
    return replyTo(exchange, responseCall(state, this.#account, body, options));
  }
}
