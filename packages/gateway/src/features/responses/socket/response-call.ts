import type { Handler } from "../../../contract/exchange.ts";
import { asText, isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../../contract/json.ts";
import type { SocketCall, SocketFailure, SocketHeaders } from "../../../contract/socket.ts";
import { editMembers, memberSpans } from "../../../util/json-span.ts";
import { itemsOfList, joinItems, rememberedOutput, type SocketMemory } from "./socket-memory.ts";

/** What a `response.create` says to the socket. */
interface ResponseCallParts {
  readonly frame: Buffer;
  /** `stream_id`: events of the answer repeat it. */
  readonly lane: string | undefined;
  readonly previousId: string | undefined;
  readonly hasConversation: boolean;
  /** The connection remembers the response, because nobody else does. */
  readonly keeps: boolean;
  /** Answers instead of a model. */
  readonly warmUp: Handler | undefined;
  readonly memory: SocketMemory;
}

/** Events that carry the response; those of an end that can be gone on from. */
const LIFECYCLE = /^response\.(?:created|queued|in_progress|completed|incomplete|failed)$/;
const ENDS: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete"]);

/** One `response.create`: the request that it is, and the frames of its answer. */
export class ResponseCall implements SocketCall {
  readonly lane: string;
  readonly handler?: Handler;
  readonly #parts: ResponseCallParts;
  /** The frame, as long as it waits. */
  #frame: Buffer;
  /** All items that the request consists of. */
  #input: Buffer = Buffer.alloc(0);
  /** The response that the connection remembered and the request goes on from. */
  #continues: string | undefined;
  /** A stored response that comes before these items. */
  #base: string | undefined;

  constructor(parts: ResponseCallParts) {
    this.#parts = parts;
    this.#frame = parts.frame;
    this.lane = parts.lane === undefined ? "" : `:${parts.lane}`;
    if (parts.warmUp !== undefined) this.handler = parts.warmUp;
  }

  body(): Buffer {
    const frame = this.#frame;
    this.#frame = Buffer.alloc(0);
    const { previousId, hasConversation, memory } = this.#parts;
    const changes = new Map<string, string | undefined>([
      ["type", undefined],
      ["stream_id", undefined],
      ["generate", undefined],
      ["background", undefined],
      ["stream", "true"],
    ]);
    const own = ownItems(frame);
    const history = previousId === undefined || hasConversation ? undefined : memory.find(previousId);
    if (history === undefined) {
      this.#base = previousId;
      this.#input = own ?? this.#input;
      return editMembers(frame, changes);
    }
    this.#continues = previousId;
    this.#base = history.base;
    this.#input = joinItems(history.items, own ?? this.#input);
    changes.set(
      "previous_response_id",
      history.base === undefined ? undefined : JSON.stringify(history.base),
    );
    changes.set("input", `[${this.#input.toString("utf8")}]`);
    return editMembers(frame, changes);
  }

  event(name: string | undefined, data: string, headers: SocketHeaders | undefined): string | undefined {
    const isLifecycle = name === undefined || LIFECYCLE.test(name);
    const event = isLifecycle ? parseJsonObject(data) : undefined;
    if (event === undefined || !isJsonObject(event.response)) return this.#withLane(data, headers);
    if (ENDS.has(event.type)) this.#remember(event.response);
    if (this.#continues === undefined) return this.#withLane(data, headers);
    const response = { ...event.response, previous_response_id: this.#continues };
    return this.#withLane(JSON.stringify({ ...event, response }), headers);
  }

  failure(failure: SocketFailure): string {
    return this.#withLane(JSON.stringify(errorEvent(failure)), undefined);
  }

  #remember(response: JsonObject): void {
    const { keeps, hasConversation, warmUp, memory } = this.#parts;
    if (hasConversation || (!keeps && warmUp === undefined)) return;
    const output = Array.isArray(response.output) ? rememberedOutput(response.output) : [];
    const said = Buffer.from(JSON.stringify(output).slice(1, -1));
    memory.keep(asText(response.id), { items: joinItems(this.#input, said), base: this.#base });
    this.#input = Buffer.alloc(0);
  }

  /** The event with members of the socket behind its own. */
  #withLane(data: string, headers: SocketHeaders | undefined): string {
    const { lane } = this.#parts;
    if (lane === undefined && headers === undefined) return data;
    const added = JSON.stringify({
      ...(lane === undefined ? {} : { stream_id: lane }),
      ...(headers === undefined ? {} : { headers }),
    });
    const end = data.lastIndexOf("}");
    return `${data.slice(0, end)},${added.slice(1)}`;
  }
}

/** The error's event: what the HTTP answer would have been. */
export function errorEvent({ status, body, headers }: SocketFailure): JsonObject {
  const error = objectOf(body.error);
  const code = error.provider_code ?? error.code ?? null;
  // OpenAI's socket says so with 400, and its clients start the conversation anew.
  const told = code === "previous_response_not_found" ? 400 : status;
  return { type: "error", status: told, error: { ...error, code }, headers };
}

/** The request's own items as text; nothing where `input` is no list and no text. */
function ownItems(frame: Buffer): Buffer | undefined {
  const span = memberSpans(frame).findLast(({ key }) => key === "input");
  if (span === undefined) return undefined;
  const value = frame.subarray(span.valueStart, span.valueEnd);
  if (value[0] === 0x22)
    return Buffer.from(`{"type":"message","role":"user","content":${value.toString("utf8")}}`);
  return itemsOfList(value);
}
