/** A worker ended before it listened, for a reason that it has told itself. */
export class WorkerNotStarted extends Error {
  readonly code: number;

  constructor(code: number) {
    super("a worker did not start");
    this.code = code;
  }
}
