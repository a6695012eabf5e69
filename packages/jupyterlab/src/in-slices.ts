import type { Target } from "./format-text.ts";

/** What the page can miss without anybody noticing: the time of one of its pictures. */
const SLICE_MS = 16;

/**
 * Uses the targets one after the other, and lets the page do its own work in between: all cells of a long notebook at once
 * would hold it up for seconds. What is gone by its turn is left out, and what is new is not looked at.
 *
 * @param targetsNow the targets as they are at the moment
 */
export async function inSlices<T extends Target>(
  targetsNow: () => readonly T[],
  use: (target: T) => void,
): Promise<void> {
  const left = new Set(targetsNow().map(({ text }) => text));
  while (left.size > 0) {
    const slice = targetsNow().filter(({ text }) => left.has(text));
    if (slice.length === 0) return;
    const end = performance.now() + SLICE_MS;
    for (const target of slice) {
      left.delete(target.text);
      use(target);
      if (performance.now() >= end) break;
    }
    if (left.size > 0) await pageTurn();
  }
}

/** Comes back when the page has done what waits. A timer would be slowed down in a tab behind others. */
function pageTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
