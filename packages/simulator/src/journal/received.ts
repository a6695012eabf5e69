import type { IncomingHttpHeaders } from "node:http";
import type { JsonValue } from "../util/json.ts";

/** One request as the simulator received it, and what became of its answer. */
export interface Received {
  /** Position in the order of arrival, from 1. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON body; absent for none, for uploads and for bodies above the journal's limit. */
  body?: JsonValue;
  /** Body bytes received. */
  bytes: number;
  model?: string;
  /** Status answered; 0 while none was. */
  status: number;
  /** Pieces of the answer's body that were written. */
  chunks: number;
  /** The caller left before the answer was complete. */
  aborted: boolean;
  /** The answer is complete or given up. */
  done: boolean;
  /** When that was, in milliseconds since 1970. */
  endedAt?: number;
}
