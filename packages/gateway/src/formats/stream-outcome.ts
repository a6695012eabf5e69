import { GatewayError } from "../contract/errors.ts";
import { isJsonObject } from "../contract/json.ts";
import type { Usage } from "../contract/usage.ts";

/** How an outgoing stream ended, for accounting and the log. */
export interface StreamOutcome {
  /** `cancelled`: the reader left before the end. */
  readonly status: "complete" | "failed" | "cancelled";
  /** Why it failed; absent for the others. */
  readonly error: GatewayError | undefined;
  /** The provider's counts as far as they were seen. */
  readonly usage: Usage | undefined;
  /** Text produced, in characters, for an estimate when the provider's counts are missing. */
  readonly outputCharacters: number;
  /** The tier that the stream named, for the same estimate. */
  readonly serviceTier?: unknown;
  /** Data of the event at which it failed: the provider's own error, or an event that the format does not allow. */
  readonly failedAt?: string | undefined;
}

/** Who hears of a stream on its way. */
export interface StreamListener {
  /** Called once, with the model's first content, before its bytes go out. */
  readonly onContent?: () => void;
  /**
   * Called exactly once, when it is known how the stream ends: before its last bytes go out, which wait for the promise,
   * or when its reader has left.
   */
  readonly onEnd?: (outcome: StreamOutcome) => Promise<void> | undefined;
}

/**
 * Any failure of a source as the error that the caller may see.
 * @param readable takes out of the source's texts what nobody may read
 */
export function streamError(thrown: unknown, readable?: (text: string) => string): GatewayError {
  const failure = readable === undefined ? thrown : readableFailure(thrown, readable);
  if (failure instanceof GatewayError) return failure;
  return new GatewayError(502, "api_error", "The provider's stream broke off", { cause: failure });
}

function readableFailure(failure: unknown, readable: (text: string) => string): unknown {
  if (typeof failure === "string") return readable(failure);
  if (isJsonObject(failure) && !(failure instanceof Error))
    return JSON.parse(readable(JSON.stringify(failure))) as unknown;
  if (!(failure instanceof Error)) return failure;
  failure.message = readable(failure.message);
  if (failure.cause !== undefined) failure.cause = readableFailure(failure.cause, readable);
  return failure;
}

/** The error of a stream that ended, but not the way its format ends. */
export function truncatedStream(): GatewayError {
  return new GatewayError(502, "api_error", "The provider's stream ended before the answer was complete");
}

/** The error of a stream that breaks its format's rules. */
export function brokenGrammar(sentence: string): GatewayError {
  return new GatewayError(502, "api_error", "The provider's stream is not valid", {
    cause: new Error(sentence),
  });
}

/** How far a stream has come, for whoever is responsible at that moment: first the attempt, then the settlement. */
export class StreamProgress {
  /** The model has begun to answer, or has ended. */
  hasContent = false;
  /** When it began, in milliseconds since the epoch. */
  contentAt: number | undefined;
  #outcome: StreamOutcome | undefined;
  #listener: NonNullable<StreamListener["onEnd"]> | undefined;

  get outcome(): StreamOutcome | undefined {
    return this.#outcome;
  }

  readonly onEnd = (outcome: StreamOutcome): Promise<void> | undefined => {
    this.#outcome = outcome;
    return this.#listener?.(outcome);
  };

  readonly onContent = (): void => {
    this.hasContent = true;
    this.contentAt = Date.now();
  };

  /**
   * Tells the listener at the end, or now when the end is known already.
   * @returns what the listener returned, when it was told now
   */
  whenEnded(listener: NonNullable<StreamListener["onEnd"]>): Promise<void> | undefined {
    this.#listener = listener;
    return this.#outcome && listener(this.#outcome);
  }
}
