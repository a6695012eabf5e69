/** How a test of an SDK's own ended. */
export interface Outcome {
  /** Its file and what it is called there. */
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly fault: string;
}

/** The tests with which one SDK is developed, ready to run. */
export interface OwnTests {
  /** The SDK with its version and where the tests are from. */
  readonly title: string;
  /** @param url where the SDK's requests go, instead of its provider */
  run(url: string, key: string): Promise<Outcome[]>;
}

/** Milliseconds for all tests of one SDK at one address. */
export const RUN_TIMEOUT = 1_800_000;
