import { expect, test, vi } from "vitest";
import * as contents from "./format-contents.ts";
import { warmUp } from "./warm-up.ts";

test("a warm-up formats Python that is not yet formatted, and other work has its turn in between", async () => {
  const format = vi.spyOn(contents, "formatContents");
  let turns = 0;
  const timer = setInterval(() => turns++);
  await warmUp();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
  expect(format.mock.calls.length).toBeGreaterThan(1);
  for (const { type, value } of format.mock.results) {
    expect(type).toBe("return");
    expect(value).not.toBe(format.mock.calls[0]![0]);
  }
});
