import { expect, test } from "vitest";
import { pythonMicroseconds } from "./diff.ts";

// Python: datetime.fromtimestamp(time, timezone.utc), where time is what os.stat gives for these nanoseconds.
test.each([
  [1_763_808_000_709_338_734n, 1_763_808_000_709_339n],
  [1_763_808_000_000_000_000n, 1_763_808_000_000_000n],
  [1_763_808_000_999_999_999n, 1_763_808_001_000_000n],
  [1_763_808_000_000_000_400n, 1_763_808_000_000_000n],
  [500n, 1n],
  [1_500n, 2n],
  [2_500n, 2n],
])("%d ns are %d µs, as Python rounds them", (nanoseconds, microseconds) => {
  expect(pythonMicroseconds(nanoseconds)).toBe(microseconds);
});
