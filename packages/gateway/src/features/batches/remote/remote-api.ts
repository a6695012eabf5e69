import type { JsonObject } from "../../../contract/json.ts";
import type { Provider } from "../../../contract/provider.ts";
import type { Origin } from "../../../core/objects/ownership.ts";
import type { ResourceClient, ResourceContext } from "../../../core/objects/resource-client.ts";
import type { FileStorage } from "../../files/file-storage.ts";

/** How to reach the provider that runs a batch. */
export interface RemoteContext extends ResourceContext {
  readonly client: ResourceClient;
  readonly origin: Origin;
  readonly provider: Provider;
  /** The model's name there. */
  readonly model: string;
  /** Where rows wait that are too many to be held in memory. */
  readonly storage: FileStorage;
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

/** A batch that was sent, and whose answer may have been lost. */
export interface SentBatch {
  /** The name that `submit` got. */
  readonly name: string;
  readonly rows: number;
  /** Milliseconds since the epoch; it was not sent before. */
  readonly sentAt: number;
  /** Ids that turned out to be other batches. */
  readonly others: readonly string[];
}

/** A provider's batch API with a wire format of its own. */
export interface RemoteApi {
  /**
   * Sends the rows.
   * @param name of the batch with us, by which it is known again
   * @returns the provider's id of the batch
   * @throws GatewayError as the provider answers; 413 where the rows are more than it takes at once
   */
  submit(context: RemoteContext, rows: AsyncIterable<RemoteRow>, name: string): Promise<string>;
  /**
   * Looks among the provider's batches for one that was sent before.
   * @returns its id, and whether it is certainly this one: otherwise its results will tell
   */
  find(context: RemoteContext, sent: SentBatch): Promise<FoundBatch | undefined>;
  /** The results that belong to the batch of this name, when it is over; `undefined` before. */
  results(context: RemoteContext, id: string, name: string): Promise<AsyncIterable<RemoteResult> | undefined>;
  cancel(context: RemoteContext, id: string): Promise<void>;
}

export interface FoundBatch {
  readonly id: string;
  readonly isCertain: boolean;
}
