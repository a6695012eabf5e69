/** The source, or what becomes of it, is nested deeper than this program goes. */
export class TooDeepError extends Error {
  override readonly name: string = "TooDeepError";

  constructor(message = "the source is nested too deeply", options?: ErrorOptions) {
    super(message, options);
  }
}

/**
 * Runs what calls itself for each level of the source. How many levels that are depends on the stack of the thread.
 *
 * @throws {TooDeepError} when the call stack runs out, in the words of whichever engine
 */
export function withinStack<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && /call stack size exceeded|too much recursion/.test(error.message))
      throw new TooDeepError(undefined, { cause: error });
    throw error;
  }
}
