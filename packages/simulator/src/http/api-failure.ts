/** Details of a failure beside its status and text, where a provider's envelope has room for them. */
export interface FailureDetails {
  readonly type?: string;
  readonly code?: string | null;
  readonly param?: string | null;
  /** Seconds of the `retry-after` header. */
  readonly retryAfter?: number;
  /** Members that one provider adds to its error object. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A request that the provider refuses; each provider puts it into its own envelope. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  readonly details: FailureDetails;

  constructor(status: number, message: string, details: FailureDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}
