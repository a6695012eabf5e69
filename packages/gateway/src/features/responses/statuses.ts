/** States in which a response does not change any more. */
export const endStates = ["completed", "incomplete", "failed", "cancelled"] as const;

export function hasEnded(status: unknown): boolean {
  return endStates.some((state) => state === status);
}

/** Events that end a stream. */
export const endEvents: ReadonlySet<unknown> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
  "error",
]);
