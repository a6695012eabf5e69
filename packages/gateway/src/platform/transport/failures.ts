import { GatewayError } from "../../contract/errors.ts";

/** Which of the timeouts ran out. */
export type TimeoutPhase = "connect" | "firstByte" | "betweenChunks" | "whole";

const phaseTexts: Readonly<Record<TimeoutPhase, string>> = {
  connect: "The provider could not be reached in time.",
  firstByte: "The provider did not begin to answer in time.",
  betweenChunks: "The provider stopped in the middle of its answer.",
  whole: "The provider did not finish its answer in time.",
};

/** 504 for a timeout of the upstream call. */
export function timedOut(phase: TimeoutPhase, cause?: unknown): GatewayError {
  return new GatewayError(504, "timeout_error", phaseTexts[phase], { cause });
}

/** 499 for a call whose caller left or whose owner gave it up. */
export function callAborted(cause?: unknown): GatewayError {
  return new GatewayError(499, "api_error", "The call was aborted.", { retryable: false, cause });
}

/** A proxy said no, or something that is no answer. */
export class ProxyFailure extends Error {}

export function isCallAborted(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 499;
}

const timeoutCodes: Readonly<Record<string, TimeoutPhase>> = {
  UND_ERR_CONNECT_TIMEOUT: "connect",
  UND_ERR_HEADERS_TIMEOUT: "firstByte",
  UND_ERR_BODY_TIMEOUT: "betweenChunks",
};

/**
 * A connection's failure as the gateway's error. The address and the socket's own words stay in `cause`.
 * @param responded whether the answer had begun
 */
export function connectionFailure(error: unknown, responded: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = errorCode(error);
  const phase = timeoutCodes[code];
  if (phase !== undefined) return timedOut(phase, error);
  const text = responded
    ? "The connection to the provider broke in the middle of its answer."
    : "The provider could not be reached; the gateway's log says why.";
  return new GatewayError(502, "api_error", text, { cause: error });
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
