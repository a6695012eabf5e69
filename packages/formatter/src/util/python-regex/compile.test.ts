import { describe, expect, test } from "vitest";
import { compilePythonRegex } from "./compile.ts";

describe("compilePythonRegex", () => {
  test.each([
    ["/(\\.direnv|\\.git|build)/", "/x/build/", true],
    ["/(\\.direnv|\\.git|build)/", "/x/builds/", false],
    ["(\\.pyi?|\\.ipynb)$", "/a.pyi", true],
    ["a$", "a\n", true],
    ["a$", "ab", false],
    ["a\\Z", "a\n", false],
    ["^/x", "/x/y", true],
    ["\n  /foo  # comment\n | /bar\n", "/bar", true],
    ["(?i)ABC", "xabcx", true],
    ["[]a]", "]", true],
    ["[^]a]", "]", false],
    ["[\\w-]+/$", "a-b/", true],
    ["[^\\W]", "-", false],
    ["x{2}", "xx", true],
    ["x{,2}y", "xxy", true],
    ["x{a", "x{a", true],
    ["(?P<q>['\"]).(?P=q)", "'a'", true],
    ["(?P<q>['\"]).(?P=q)", "'a\"", false],
    ["(a)\\1", "aa", true],
    ["(?<=a)b", "ab", true],
    ["(?>a+)b", "aab", true],
    ["(?>a+)a", "aaa", false],
    ["a++a", "aaa", false],
    ["(x)a++\\1", "xaax", true],
    ["\\bfoo\\b", "a foo b", true],
    ["\\bfoo\\b", "éfoo", false],
    ["\\d", "٣", true],
    ["\\/a\\-b", "/a-b", true],
    ["\\x41\\u0042", "AB", true],
    [".", "\n", false],
    ["(?s).", "\n", true],
    ["(?m)^b", "a\nb", true],
    ["a(?#note)b", "ab", true],
    ["", "anything", true],
  ])("%j finds in %j: %j", (pattern, text, found) => {
    expect(compilePythonRegex(pattern).test(text)).toBe(found);
  });

  test.each([
    ["(", "missing ), unterminated subpattern at position 0"],
    [")", "unbalanced parenthesis at position 0"],
    ["*", "nothing to repeat at position 0"],
    ["a**", "multiple repeat at position 2"],
    ["[", "unterminated character set at position 0"],
    ["[z-a]", "bad character range z-a at position 1"],
    ["\\", "bad escape (end of pattern) at position 0"],
    ["a\\q", "bad escape \\q at position 1"],
    ["(?P<a", "missing >, unterminated name at position 4"],
    ["(?P<1>a)", "bad character in group name '1' at position 4"],
    ["(?<=a*)b", "look-behind requires fixed-width pattern"],
    ["(a)\\2", "invalid group reference 2 at position 4"],
    ["(a\\1)", "cannot refer to an open group at position 2"],
    ["x{3,2}", "min repeat greater than max repeat at position 2"],
    ["a(?i)b", "global flags not at the start of the expression at position 1"],
    ["(?L)a", "bad inline flags: cannot use 'L' flag with a str pattern at position 3"],
    ["(?aL:a)", "bad inline flags: cannot use 'L' flag with a str pattern at position 4"],
    ["(?au)a", "bad inline flags: flags 'a', 'u' and 'L' are incompatible at position 4"],
    ["b(?ua:a)", "bad inline flags: flags 'a', 'u' and 'L' are incompatible at position 5"],
    ["(?i", "missing -, : or ) at position 3"],
    ["(?i1)", "missing -, : or ) at position 3"],
    ["(?iz)a", "unknown flag at position 3"],
    ["(?z)a", "unknown extension ?z at position 1"],
    ["(?-i)a", "missing : at position 4"],
    ["(?i-s", "missing : at position 5"],
    ["(?i-:a)", "missing flag at position 4"],
    ["(?-)", "missing flag at position 3"],
    ["(?i-", "missing flag at position 4"],
    ["(?i-z:b)", "unknown flag at position 4"],
    ["(?i-i:a)", "bad inline flags: flag turned on and off at position 5"],
    ["(?-a:x)", "bad inline flags: cannot turn off flags 'a', 'u' and 'L' at position 4"],
    ["(?<x>a)", "unknown extension ?<x at position 1"],
    ["a\n(", "missing ), unterminated subpattern at position 6 (line 2, column 1)"],
  ])("refuses %j as Python does: %s", (pattern, message) => {
    expect(() => compilePythonRegex(pattern)).toThrow(message);
  });

  test("refuses with a reason what JavaScript has no counterpart for", () => {
    expect(() => compilePythonRegex("(a)?(?(1)b|c)")).toThrow("conditional groups");
  });
});
