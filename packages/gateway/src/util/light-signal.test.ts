import { describe, expect, it } from "vitest";
import { LightSignal, toAbortSignal } from "./light-signal.ts";

describe("LightSignal", () => {
  it("tells those who listen, once, and nobody who has stopped or comes later", () => {
    const signal = new LightSignal();
    const heard: string[] = [];
    const stopped = (): void => void heard.push("stopped");
    signal.addEventListener("abort", () => heard.push("listens"));
    signal.addEventListener("abort", stopped);
    signal.removeEventListener("abort", stopped);
    expect([signal.aborted, heard]).toEqual([false, []]);
    signal.abort("gone");
    signal.abort("again");
    signal.addEventListener("abort", () => heard.push("late"));
    expect([signal.aborted, signal.reason, heard]).toEqual([true, "gone", ["listens"]]);
  });

  it("is an AbortSignal for those who need one, asked before or after", () => {
    const signal = new LightSignal();
    const before = toAbortSignal(signal);
    expect(before.aborted).toBe(false);
    signal.abort("gone");
    expect([before.aborted, before.reason, toAbortSignal(signal) === before]).toEqual([true, "gone", true]);
    const late = new LightSignal();
    late.abort("gone");
    expect(toAbortSignal(late).reason).toBe("gone");
    expect(toAbortSignal(before)).toBe(before);
  });
});
