import { expect, test } from "vitest";
import { parseArguments } from "./parse-arguments.ts";

const given = (...args: string[]): Record<string, readonly string[]> =>
  Object.fromEntries(parseArguments(args).given);

test.each([
  [["-l", "79"], { "line-length": ["79"] }],
  [["-l79"], { "line-length": ["79"] }],
  [["-l=79"], { "line-length": ["=79"] }],
  [["--line-length=79"], { "line-length": ["79"] }],
  [["--line-length", "-5"], { "line-length": ["-5"] }],
  [["-Sl79"], { "skip-string-normalization": ["true"], "line-length": ["79"] }],
  [["-qv"], { quiet: ["true"], verbose: ["true"] }],
  [["--fast", "--safe"], { fast: ["true", "false"] }],
  [["-tpy38", "-t", "py39"], { "target-version": ["py38", "py39"] }],
  [["--config="], { config: [""] }],
])("%j", (args, expected) => {
  expect(given(...args)).toEqual(expected);
});

test("paths may stand anywhere; behind -- everything is a path", () => {
  expect(parseArguments(["a.py", "--check", "-", "--", "--diff"]).sources).toEqual(["a.py", "-", "--diff"]);
});

test.each([
  [["--no-such"], "No such option '--no-such'. (Did you mean one of: '--no-cache', '--no-color'?)"],
  [["--helpp"], "No such option '--helpp'. Did you mean '--help'?"],
  [["--PYI"], "No such option '--PYI'."],
  [["-qz"], "No such option '-z'."],
  [["-l"], "Option '-l' requires an argument."],
  [["--pyi=1"], "Option '--pyi' does not take a value."],
])("%j is refused: %s", (args, message) => {
  expect(() => parseArguments(args)).toThrow(message);
});
