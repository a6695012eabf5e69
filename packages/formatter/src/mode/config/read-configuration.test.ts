import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseToml, readToml } from "./load-toml.ts";
import { findProjectRoot } from "./project-root.ts";
import { readConfiguration } from "./read-configuration.ts";
import { resolveSettings } from "./resolve-settings.ts";
import type { Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";
import { findUserFile } from "./user-file.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(toml: string): Settings {
  path = join(mkdtempSync(join(folder, "project-")), "pyproject.toml");
  writeFileSync(path, toml);
  return resolveSettings(new Map(), [], readConfiguration(path, undefined));
}

describe("configuration", () => {
  test("every spelling of a key counts, and texts stand for numbers and booleans", () => {
    const settings = read(
      `[tool.black]\n"--line-length" = "79"\nskip_string_normalization = "yes"\ntarget-version = ["py39"]`,
    );
    expect(settings).toMatchObject({
      lineLength: 79,
      skipStringNormalization: true,
      targetVersions: ["py39"],
    });
  });

  test("our table wins over Black's as a whole", () => {
    const settings = read("[tool.black]\nline-length = 1\npyi = true\n[tool.jetblack]\nline-length = 2");
    expect(settings).toMatchObject({ lineLength: 2, pyi: false });
  });

  test("target versions come from requires-python unless they are given", () => {
    expect(read('[project]\nrequires-python = ">=3.14"\n[tool.black]').targetVersions).toEqual([
      "py314",
      "py315",
    ]);
    expect(
      read('[project]\nrequires-python = ">=3.14"\n[tool.black]\ntarget-version = []').targetVersions,
    ).toEqual([]);
  });

  test("a pattern with a line break is read in verbose mode", () => {
    const { exclude } = read('[tool.black]\nexclude = """\n/( a # one\n | b )/\n"""');
    expect([exclude?.test("/b/"), exclude?.test("/c/")]).toEqual([true, false]);
  });

  test.each([
    [
      "line-lenght = 79",
      "Invalid config key 'line-lenght' in [tool.black] of %s. Did you mean 'line-length'?",
    ],
    ["safe = true", "Invalid config key 'safe'"],
    ["stdin-filename = 'x.py'", "Invalid config key 'stdin-filename'"],
    ["line-ranges = ['1-2']", "Cannot use line-ranges in the pyproject.toml file."],
    ["line-ranges = ['1-2']\ntarget-version = 'py38'", "Config key target-version must be a list"],
    ["line_ranges = '1-2'\nexclude = ['a']", "Config key exclude must be a string"],
    ["line-length = 'abc'", "Invalid value for '-l' / '--line-length': 'abc' is not a valid integer."],
    ["line-length = true", "'True' is not a valid integer."],
    ["line-length = [1]", "[1] is not a valid integer."],
    ["pyi = 'abc'", "Invalid value for '--pyi': 'abc' is not a valid boolean. Recognized values: , 0, 1, f,"],
    ["pyi = []", "[] is not a valid boolean."],
    ["workers = 0", "Invalid value for '-W' / '--workers': 0 is not in the range x>=1."],
    ["target-version = 'py311'", "Config key target-version must be a list"],
    [
      "target-version = ['py99']",
      "Invalid value for '-t' / '--target-version': 'py99' is not one of 'py33', 'py34'",
    ],
    ["target-version = [3]", "3 is not one of 'py33'"],
    ["exclude = ['a']", "Config key exclude must be a string"],
    ["include = ['a']", "Config key include must be a string"],
    ["extend-exclude = ['a']", "Config key extend-exclude must be a string"],
    ["force-exclude = {}", "Config key force-exclude must be a string"],
    [
      "exclude = '('",
      "Invalid value for '--exclude': Not a valid regular expression: missing ), unterminated subpattern at position 0",
    ],
    ["python-cell-magics = 'x'", "Invalid value for '--python-cell-magics': Value must be an iterable."],
    ["enable-unstable-feature = ['nope']", "'nope' is not one of 'string_processing'"],
    ["[[", "Could not open file '%s': Error reading configuration file: "],
    // The places are those of Python's tomllib.
    ["target-version = [py312]", "Error reading configuration file: Invalid value (at line 2, column 19)"],
    ["line-length 88", "(at line 2, column 13)"],
    ["include = [1 2]", "(at line 2, column 14)"],
    ['include = "abc', "(at line 2, column 11)"],
    ["preview = 'constructor'", "'constructor' is not a valid boolean"],
  ])("%s is refused: %s", (line, message) => {
    const readLine = (): Settings => read(`[tool.black]\n${line}`);
    expect(readLine).toThrow(UsageError);
    try {
      readLine();
    } catch (error) {
      expect((error as Error).message).toContain(message.replace("%s", path));
    }
  });

  test.each([
    ["tool = 1", "'tool' must be a table"],
    ["[tool]\nblack = 1", "'black' must be a table"],
    ["[[tool.black]]", "'black' must be a table"],
    ["[tool.black]\n[project]\nrequires-python = 3", "requires-python must be a string"],
  ])("%j is no configuration: %s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test("a file that is not UTF-8 is an error", () => {
    path = join(folder, "pyproject.toml");
    writeFileSync(path, Buffer.from("[tool.black]\n# \xe9", "latin1"));
    expect(() => parseToml(readToml(path), path)).toThrow("Error reading configuration file");
  });

  test("an unknown key in the table that is not used is an error as well", () => {
    expect(() => read("[tool.black]\nx = 1\n[tool.jetblack]")).toThrow(
      "Invalid config key 'x' in [tool.black]",
    );
  });
});

describe("findProjectRoot", () => {
  test("the nearest marker above all sources decides; a project file without our table is none", () => {
    mkdirSync(join(folder, ".git"));
    mkdirSync(join(folder, "a/b"), { recursive: true });
    mkdirSync(join(folder, "a/c"));
    writeFileSync(join(folder, "a/pyproject.toml"), "[tool.other]");
    expect(findProjectRoot([join(folder, "a/b"), join(folder, "a/c")])).toEqual({
      path: folder,
      method: ".git directory",
    });
    mkdirSync(join(folder, "a/b/.hg"));
    expect(findProjectRoot([join(folder, "a/b/x.py")])).toEqual({
      path: join(folder, "a/b"),
      method: ".hg directory",
    });
  });

  test("a project file with our table or Black's marks a root", () => {
    for (const name of ["jetblack", "black"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "pyproject.toml"), `[tool.${name}]`);
      expect(findProjectRoot([join(folder, name)])?.path).toBe(join(folder, name));
    }
  });
});

test("the user-level file is ours before Black's", () => {
  expect(findUserFile({ XDG_CONFIG_HOME: folder })).toBeUndefined();
  writeFileSync(join(folder, "black"), "");
  expect(findUserFile({ XDG_CONFIG_HOME: folder })).toBe(join(folder, "black"));
  writeFileSync(join(folder, "jetblack"), "");
  expect(findUserFile({ XDG_CONFIG_HOME: folder })).toBe(join(folder, "jetblack"));
});
