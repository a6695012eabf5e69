import type { JsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Origin } from "../../ids/ownership.ts";
import type { ResourceClient, ResourceContext } from "../../resources/resource-client.ts";

/** How to reach the provider that runs a batch. */
export interface RemoteContext extends ResourceContext {
  readonly client: ResourceClient;
  readonly origin: Origin;
  readonly provider: Provider;
  /** The model's name there. */
  readonly model: string;
}

/** A row in the provider's own request format. */
export interface RemoteRow {
  readonly line: number;
  readonly request: JsonObject;
}

/** What the provider made of a row: its answer, its error, or nothing. */
export interface RemoteResult {
  readonly line: number;
  readonly outcome:
    | { readonly answer: JsonObject }
    | { readonly error: JsonObject; readonly status: number }
    | "expired"
    | "cancelled";
}

/** A provider's batch API with a wire format of its own. */
export interface RemoteApi {
  /**
   * Sends the rows.
   * @returns the provider's id of the batch
   * @throws GatewayError as the provider answers; 413 where the rows are more than it takes at once
   */
  submit(context: RemoteContext, rows: AsyncIterable<RemoteRow>, name: string): Promise<string>;
  /** The results, when the batch is over; `undefined` before. */
  results(context: RemoteContext, id: string): Promise<AsyncIterable<RemoteResult> | undefined>;
  cancel(context: RemoteContext, id: string): Promise<void>;
}
