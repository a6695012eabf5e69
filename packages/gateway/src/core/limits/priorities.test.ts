import { pino } from "pino";
import { expect, it } from "vitest";
import type { Deployment } from "../../contract/deployment.ts";
import { anonymous } from "../../contract/principal.ts";
import { openLimiter } from "./open-limiter.ts";
import type { Priorities } from "./priorities.ts";

/** One deployment that callers of priorities ask for. */
async function deployment(limits: { readonly rpm?: number; readonly tpm?: number }, all: Priorities) {
  const quiet = pino({ level: "silent" });
  const parts = [undefined, undefined, undefined, () => undefined] as const;
  const limiter = await openLimiter(
    undefined,
    async () => 0,
    quiet,
    ...parts,
    () => all,
  );
  return async (priority: unknown, estimatedTokens = 1): Promise<boolean> => {
    const principal = { ...anonymous, metadata: { priority } };
    const asked = { principal, deployment: { id: "d", ...limits } as Deployment, model: "m" };
    try {
      await limiter.reserve({ ...asked, estimatedTokens, estimatedCost: 0 });
      return true;
    } catch {
      return false;
    }
  };
}

const thresholds = [0, 0.1, 0.5, 1];
const shares = { prod: 0.8, dev: 0.2, none: 0 };

it.each([1, 2, 3, 4, 9])("lets whoever has a part of %d requests call when nobody else does", async (rpm) => {
  for (const threshold of thresholds)
    for (const priority of ["prod", "dev", "unknown"]) {
      const call = await deployment({ rpm }, { shares, defaultShare: 0.1, threshold });
      expect(await call(priority), `${priority} at ${threshold}`).toBe(true);
    }
  const call = await deployment({ rpm }, { shares, defaultShare: 0, threshold: 0 });
  for (const priority of ["none", "unknown", "", "__proto__", "constructor", 1, null, ["prod"], { prod: 1 }])
    expect(await call(priority)).toBe(false);
  const closed = await deployment({ rpm: 0 }, { shares, defaultShare: 1, threshold: 1 });
  expect(await closed("prod")).toBe(false);
});

it.each(["dev", "unknown", "none"])(
  "keeps tokens for prod while %s asks for more than there are",
  async (other) => {
    for (const threshold of [0, 0.1, 0.5]) {
      const call = await deployment({ tpm: 1000 }, { shares, defaultShare: 0.2, threshold });
      // Who has no part of its own gets what is free up to the threshold, once.
      expect(await call(other, 1e9), `${threshold}`).toBe(other !== "none" || threshold > 0);
      expect(await call(other, Number.MAX_VALUE), `${threshold}`).toBe(false);
      expect(await call("prod", 300), `after ${threshold}`).toBe(true);
    }
  },
);
