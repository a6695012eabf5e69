/** A response as the gateway stores it. Times are milliseconds since the epoch, `answer` and `job` are JSON. */
export interface ResponseRow {
  id: string;
  tenant: string;
  /** The response that this one continues. */
  previous_id: string | null;
  conversation_id: string | null;
  deployment_id: string | null;
  /** The response's id at a provider that keeps responses itself; null where the gateway alone does. */
  provider_id: string | null;
  /** That provider's name; null where an older release made the response. */
  provider: string | null;
  status: string;
  created_at: number;
  expires_at: number | null;
  /** While it is being written: until when its writer is believed to be alive. */
  alive_until: number | null;
  /** The response object without `output`. */
  answer: string;
  /** What a background response needs to run; null for all others. */
  job: string | null;
}

/** One item of a response's input or output. */
export interface ResponseItemRow {
  response_id: string;
  position: number;
  direction: "input" | "output";
  item_id: string;
  data: string;
}

export interface ResponsesSchema {
  responses: ResponseRow;
  response_items: ResponseItemRow;
}

declare module "../../../platform/store/schema.ts" {
  interface Schema extends ResponsesSchema {}
}
