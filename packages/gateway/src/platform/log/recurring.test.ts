import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Recurring } from "./recurring.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it("tells a failure at once, once a minute, and when it is another one", () => {
  const recurring = new Recurring();
  expect(recurring.ended()).toBe(false);
  expect([recurring.failed("a"), recurring.failed("a"), recurring.failed("b")]).toEqual([true, false, true]);
  vi.advanceTimersByTime(59_999);
  expect(recurring.failed("a")).toBe(false);
  vi.advanceTimersByTime(1);
  expect([recurring.failed("a"), recurring.failed("a")]).toEqual([true, false]);
});

it("tells of an end once, and of the next failure at once", () => {
  const recurring = new Recurring();
  recurring.failed();
  expect([recurring.ended(), recurring.ended(), recurring.failed()]).toEqual([true, false, true]);
});

it("tells no more of reasons that are all different", () => {
  const recurring = new Recurring();
  const told = Array.from({ length: 1000 }, (_, at) => recurring.failed(`reason ${at}`));
  expect(told.filter(Boolean)).toHaveLength(11);
});
