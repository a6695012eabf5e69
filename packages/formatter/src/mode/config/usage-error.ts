/** A mistake in arguments or configuration: the run ends with exit code 2 before any file is touched. */
export class UsageError extends Error {
  override name = "UsageError";
  /** Whether the usage line belongs above the message (click prints it when it knows the command). */
  readonly showsUsage: boolean;
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { showsUsage?: boolean; exitCode?: 1 | 2 } = {}) {
    super(message);
    this.showsUsage = options.showsUsage ?? true;
    this.exitCode = options.exitCode ?? 2;
  }
}
