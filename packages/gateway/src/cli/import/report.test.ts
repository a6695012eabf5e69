import { expect, it } from "vitest";
import { reportText, TableReport } from "./report.ts";

it("shows nothing of somebody else's database that steers a terminal or hides a line", () => {
  const hostile = "\u001b]0;owned\u0007\u009b2J\rx\nkeys taken: all \u202e sk-of-somebody-1234567 ".repeat(
    40,
  );
  const report = new TableReport("LiteLLM_Tables", "keys");
  report.leave(hostile, hostile);
  report.note(hostile, hostile);
  report.unknownColumns = [hostile];
  const left = [{ table: hostile, rows: 1, reason: "it is not known" }];
  const text = reportText({ isDryRun: false, tables: [report], left, remarks: [] });
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|sk-of-somebody/u);
  const plain = new TableReport("LiteLLM_Tables", "keys");
  plain.leave("one", "it is none");
  plain.note("one", "its name");
  plain.unknownColumns = ["new"];
  const shown = reportText({
    isDryRun: false,
    tables: [plain],
    left: [{ ...left[0]!, table: "T" }],
    remarks: [],
  });
  expect(text.split("\n")).toHaveLength(shown.split("\n").length);
  expect(text.length).toBeLessThan(2000);
});
