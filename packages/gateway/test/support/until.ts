import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds; far more than anything here takes on the slowest machine. */
const patience = 240_000;

/**
 * Looks again and again until what it sees is right.
 * @param look what may fail at first does so by its value, not by throwing
 * @throws Error with what was seen last
 */
export async function until<T>(
  look: () => T | Promise<T>,
  isRight: (seen: T) => boolean = Boolean,
): Promise<T> {
  const end = performance.now() + patience;
  for (;;) {
    const seen = await look();
    if (isRight(seen)) return seen;
    if (performance.now() > end) throw new Error(`It did not come about: ${JSON.stringify(seen)}`);
    await sleep(25);
  }
}
