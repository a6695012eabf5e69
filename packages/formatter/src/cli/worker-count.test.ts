import { expect, test } from "vitest";
import { chosenWorkerCount, defaultWorkerCount, workerCount } from "./worker-count.ts";

test.each([
  [1, 500_000, 1],
  [1, 80_000_000, 1],
  [2, 500_000, 1],
  [2, 7_999_999, 1],
  [2, 8_000_000, 2],
  [3, 500_000, 3],
  [16, 500_000, 16],
])("%i cores and %i bytes to format take %i threads", (cores, bytes, threads) => {
  expect(defaultWorkerCount(bytes, cores)).toBe(threads);
});

test("a number that is asked for holds whatever there is to format", () => {
  expect(workerCount(2, 500_000)).toBe(2);
  expect(chosenWorkerCount(undefined, { BLACK_NUM_WORKERS: "5" })).toBe(5);
});
