import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Imported into a gateway: writes the longest turn of its event loop into the file that `PAUSES_FILE` names, in milliseconds. */
const file = process.env.PAUSES_FILE;
if (isMainThread && file !== undefined) {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(look, 1).unref();
  // Written when it is asked for by this signal; from then on it counts anew.
  process.on("SIGUSR2", () => {
    writeFileSync(file, longest.toFixed(1));
    longest = 0;
  });
}
