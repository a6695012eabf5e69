import { GatewayError } from "../../contract/errors.ts";

/** Whether a host says that it has no batches, or not this one, nor its results. */
export function lacksBatches(error: unknown): error is GatewayError {
  return error instanceof GatewayError && [404, 405, 501].includes(error.status);
}
