import { expect, it } from "vitest";
import { JsonLines, makeLogger, numberMember, textMember } from "./logger.ts";

const hostile = 'a "quoted" \\ line\nbreak \u2028 \ud800 \u0000 é';

function linesOf(level: string, use: (lines: JsonLines) => void, bindings: object = {}): unknown[] {
  const written: string[] = [];
  const logger = makeLogger(level, { write: (line) => void written.push(line) });
  use(new JsonLines(logger.child(bindings)));
  return written.map((line) => ({ ...JSON.parse(line), time: undefined }));
}

it("writes what pino would write", () => {
  const members = textMember("text", hostile) + numberMember("number", 1.5e-7);
  const own = linesOf("info", (lines) => lines.write("info", members, "said"), { part: "x" });
  const written: string[] = [];
  makeLogger("info", { write: (line) => void written.push(line) })
    .child({ part: "x" })
    .info({ text: hostile, number: 1.5e-7 }, "said");
  expect(own).toEqual([{ ...JSON.parse(written[0]!), time: undefined }]);
});

it("leaves out what is not known and what the level silences", () => {
  const members = textMember("absent", undefined) + numberMember("none", undefined);
  const use = (lines: JsonLines): void => {
    lines.write("info", members, "quiet");
    lines.write("error", members, "loud");
  };
  expect(linesOf("error", use)).toEqual([{ level: 50, msg: "loud" }]);
});

it("writes null for what JSON has no number for", () => {
  expect(numberMember("cost", Number.NaN)).toBe(',"cost":null');
});
