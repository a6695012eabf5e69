import { describe, expect, test } from "vitest";
import { defaultMode } from "../../mode/mode.ts";
import { formatNotebook } from "./format-notebook.ts";

function formatCells(sources: readonly string[]): string[][] {
  const cells = sources.map((source) => ({ cell_type: "code", source }));
  const output = formatNotebook(JSON.stringify({ cells, metadata: {} }), defaultMode, [], false);
  return JSON.parse(output).cells.map((cell: { source: string[] }) => cell.source);
}

describe("the cells of a notebook", () => {
  test.each(["f() = a", "a([] = 1)", "x y"])(
    "stay as they are when they hold %j, which is no Python",
    (source) => {
      expect(formatCells([source, "x='a'"])).toEqual([source, ['x = "a"']]);
    },
  );

  test("keep their line ends, and are cut into lines as Python cuts", () => {
    expect(formatCells(["x='a'\r\ny=1", "x='a\u2028b'"])).toEqual([
      ['x = "a"\r\n', "y = 1\r"],
      ['x = "a\u2028', 'b"'],
    ]);
  });

  test("without anything in them have no lines", () => {
    expect(formatCells(["  "])).toEqual([[]]);
  });

  test("that need a newer Python than the target are an error", () => {
    const cell = { cell_type: "code", source: "match x:\n  case 1: a" };
    const text = JSON.stringify({ cells: [cell], metadata: {} });
    expect(() => formatNotebook(text, { ...defaultMode, targetVersions: ["py37"] }, [], false)).toThrow(
      "cannot parse for target version Python 3.7",
    );
  });
});
