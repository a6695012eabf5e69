import type { Writable } from "node:stream";

/** Waits so many milliseconds, or until the caller has left. */
export function wait(response: Writable, milliseconds: number): Promise<void> {
  if (milliseconds <= 0 || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      response.off("close", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    response.on("close", finish);
  });
}

/** Waits until the caller has left. */
export function untilClosed(response: Writable): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.on("close", resolve);
  });
}
