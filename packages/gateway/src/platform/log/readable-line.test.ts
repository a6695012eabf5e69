import { expect, it } from "vitest";
import { makeLogger } from "./logger.ts";
import { ReadableLines, readableLine } from "./readable-line.ts";

it("shows lines of the log as a person reads them", () => {
  const lines: string[] = [];
  const logger = makeLogger("debug", new ReadableLines({ write: (line) => void lines.push(line) }));
  logger.info({ status: 200, model: "gpt-4o", said: "two words" }, "request");
  logger.warn("take care");
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d INFO {2}request status=200 model=gpt-4o said="two words"\n$/);
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d WARN {2}take care\n$/);
});

it("lets nobody steer the terminal, and loses no line", () => {
  const evil = JSON.stringify({
    level: 30,
    time: "2026-01-01T00:00:00Z",
    msg: "a\u001b[2J\rb",
    model: "\u001b]0;x\u0007",
  });
  expect(readableLine(`${evil}\n`).trimEnd()).not.toMatch(/\p{C}/u);
  expect(readableLine("no JSON\n")).toBe("no JSON\n");
});
