import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import type { GatewayError } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Usage } from "./usage.ts";
import type { WireFormat } from "./wire-format.ts";

/** What a dialect needs to know to write an answer. */
export interface AnswerContext {
  /** The model name to show in the answer. */
  readonly model: string;
  readonly request: JsonObject;
  readonly callId: string;
  /** Seconds since the epoch for `created`. */
  readonly created: number;
  /** What a provider says in an error, without the credentials that it was asked with. */
  readonly readable?: (text: string) => string;
  /** A stored answer in a stream as its caller sees it, in formats that have one; where it is absent, as it is. */
  readonly shown?: (answer: JsonObject) => JsonObject;
}

/**
 * Told of each event that an encoder writes, before its text goes anywhere: its name and what is serialised as its data, or
 * the end mark of formats that have one.
 * @throws GatewayError 502 for an event that the format does not allow
 */
export type EventCheck = (event: string | undefined, data: JsonObject | string) => void;

/** Turns neutral stream parts into the dialect's server-sent events, all but `fail` checked. One per answer. */
export interface StreamEncoder {
  /** The events for one part as wire text, possibly none. */
  push(part: LanguageModelV3StreamPart): string;
  /** The events with which an answer begins, where they have not been written yet; later ones do without them then. */
  begin(): string;
  /** The dialect's error event, after whatever was already sent. */
  fail(error: GatewayError): string;
  /** Usage as far as it was seen. */
  usage(): Usage | undefined;
}

/**
 * Watches an outgoing stream, native or translated, event by event.
 * A stream may end normally only when `isComplete` says so.
 */
export interface StreamGrammar {
  /** Checks one event; the sentence says what is wrong, `undefined` that it is right. */
  accept(event: string | undefined, data: string): string | undefined;
  /** `accept` of an event whose data is parsed already. */
  check(event: string | undefined, body: JsonObject): string | undefined;
  readonly isComplete: boolean;
  /** The format has no end mark: events may still follow a complete answer, until the source ends. */
  readonly endsWithSource?: boolean;
  /** The provider's own error event was seen: the stream is over, but not complete. */
  readonly failed: boolean;
  /** The model has begun to answer, or has ended: from here on no other deployment can take over. */
  readonly hasContent: boolean;
  /** Usage as far as it was seen. */
  usage(): Usage | undefined;
  /** Text produced so far in characters, for an estimate when the stream breaks before usage. */
  readonly outputCharacters: number;
  /** The tier that the stream named, in formats that name it before the usage. */
  readonly serviceTier?: unknown;
  /** The number that the next event must carry, in formats that number their events. */
  readonly nextSequenceNumber?: number;
  /** The last event was the chunk with nothing but the usage, in formats that have one. */
  readonly isUsageOnly?: boolean;
}

/** One wire format that callers speak: both directions, its stream grammar and its errors. */
export interface Dialect {
  readonly format: WireFormat;
  /** Request body to neutral call; throws a 400 `GatewayError` naming the field. */
  toCallOptions(body: JsonObject): LanguageModelV3CallOptions;
  /** Neutral result to answer body. */
  fromResult(result: LanguageModelV3GenerateResult, context: AnswerContext): JsonObject;
  encoder(context: AnswerContext, check: EventCheck): StreamEncoder;
  grammar(): StreamGrammar;
  /** The error event that ends a broken stream, for native streams that have no encoder. */
  errorEvent(error: GatewayError, sequenceNumber?: number): string;
  /** Usage out of a native answer body. */
  usageOf(answer: JsonObject): Usage | undefined;
}
