import { describe, expect, test } from "vitest";
import { translateGitPattern } from "./git-pattern.ts";
import { GitPatterns } from "./git-patterns.ts";

const paths = ["a.py", "b/", "b/a.py", "b/c/", "b/c/x.pyi", "x y.py", "[z].py"];

function ignored(...lines: string[]): string[] {
  const patterns = new GitPatterns(lines.flatMap((line) => translateGitPattern(`${line}\n`) ?? []));
  return paths.filter((path) => patterns.ignores(path));
}

describe("patterns of ignore files, with pathspec's answers", () => {
  test.each([
    [["a.py"], ["a.py", "b/a.py"]],
    [["/a.py"], ["a.py"]],
    [["b"], ["b/", "b/a.py", "b/c/", "b/c/x.pyi"]],
    [["a.py/"], []],
    [["b/*"], ["b/a.py", "b/c/", "b/c/x.pyi"]],
    [["b/**"], ["b/", "b/a.py", "b/c/", "b/c/x.pyi"]],
    [["b/**/x.pyi"], ["b/c/x.pyi"]],
    [["***/x.pyi"], []],
    [["[!a].py", "?.pyi"], ["b/c/x.pyi"]],
    [["\\[z\\].py"], ["[z].py"]],
    [["x y.py \t"], ["x y.py"]],
    [
      ["*", "!*/", "!*.pyi"],
      ["a.py", "b/", "b/a.py", "b/c/", "x y.py", "[z].py"],
    ],
    [["[", "#a.py", "", "/", "[z-a]/[", "[z-a][\\"], []],
  ])("%j", (lines, expected) => {
    expect(ignored(...lines)).toEqual(expected);
  });

  test("what a later line names comes back, even from an ignored folder", () => {
    expect(ignored("b", "!b/a.py")).toEqual(["b/", "b/c/", "b/c/x.pyi"]);
    expect(ignored("!b/a.py", "b")).toEqual(["b/", "b/c/", "b/c/x.pyi"]);
    expect(ignored("b/", "!b/c/")).toEqual(["b/", "b/a.py"]);
  });

  test.each(["!", "a.py\\", "[z-a]"])("%j is refused", (line) => {
    expect(() => translateGitPattern(`${line}\n`)).toThrow();
  });
});
