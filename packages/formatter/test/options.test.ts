import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseArguments } from "../src/cli/arguments/parse-arguments.ts";
import { readConfiguration } from "../src/mode/config/read-configuration.ts";
import { resolveSettings } from "../src/mode/config/resolve-settings.ts";
import type { Settings } from "../src/mode/config/settings.ts";
import { configurationKeys } from "../src/mode/options.ts";

/** For each key of the configuration table: a flag, the same as TOML, and what both must set. */
const rows: Readonly<Record<string, { flag: string[]; toml: string; sets: Partial<Settings> }>> = {
  code: { flag: ["-c", "x = 1"], toml: '"x = 1"', sets: { code: "x = 1" } },
  "line-length": { flag: ["-l", "79"], toml: "79", sets: { lineLength: 79 } },
  "target-version": {
    flag: ["-t", "py38", "--target-version=py39"],
    toml: '["py38", "py39"]',
    sets: { targetVersions: ["py38", "py39"] },
  },
  pyi: { flag: ["--pyi"], toml: "true", sets: { pyi: true } },
  ipynb: { flag: ["--ipynb"], toml: "true", sets: { ipynb: true } },
  "python-cell-magics": {
    flag: ["--python-cell-magics", "a", "--python-cell-magics", "b"],
    toml: '["a", "b"]',
    sets: { pythonCellMagics: ["a", "b"] },
  },
  "skip-source-first-line": { flag: ["-x"], toml: "true", sets: { skipSourceFirstLine: true } },
  "skip-string-normalization": { flag: ["-S"], toml: "true", sets: { skipStringNormalization: true } },
  "skip-magic-trailing-comma": { flag: ["-C"], toml: "true", sets: { skipMagicTrailingComma: true } },
  preview: { flag: ["--preview"], toml: "true", sets: { preview: true } },
  unstable: { flag: ["--unstable"], toml: "true", sets: { unstable: true } },
  "enable-unstable-feature": {
    flag: ["--enable-unstable-feature", "hug_parens_with_braces_and_square_brackets"],
    toml: '["hug_parens_with_braces_and_square_brackets"]',
    sets: { enabledFeatures: ["hug_parens_with_braces_and_square_brackets"] },
  },
  check: { flag: ["--check"], toml: "true", sets: { check: true } },
  diff: { flag: ["--diff"], toml: "true", sets: { diff: true } },
  color: { flag: ["--no-color", "--color"], toml: "true", sets: { color: true } },
  fast: { flag: ["--safe", "--fast"], toml: "true", sets: { fast: true } },
  "required-version": { flag: ["--required-version", "26"], toml: "26", sets: { requiredVersion: "26" } },
  exclude: { flag: ["--exclude", "/a/"], toml: '"/a/"', sets: { exclude: /\u{2f}a\u{2f}/u } },
  "extend-exclude": { flag: ["--extend-exclude", "a"], toml: '"a"', sets: { extendExclude: /a/u } },
  "force-exclude": { flag: ["--force-exclude", "a"], toml: '"a"', sets: { forceExclude: /a/u } },
  include: { flag: ["--include", "a"], toml: '"a"', sets: { include: /a/u } },
  workers: { flag: ["-W", "3"], toml: "3", sets: { workers: 3 } },
  quiet: { flag: ["-q"], toml: "true", sets: { quiet: true } },
  verbose: { flag: ["-v"], toml: "true", sets: { verbose: true } },
  "cache-dir": { flag: ["--cache-dir", "c"], toml: '"c"', sets: { cacheDir: "c" } },
  "no-cache": { flag: ["--no-cache"], toml: "true", sets: { noCache: true } },
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("every key of the configuration table", () => {
  test("has a row here and one in the documentation", () => {
    expect(Object.keys(rows)).toEqual(expect.arrayContaining([...configurationKeys]));
    const page = readFileSync(new URL("../../../docs/formatter/options.md", import.meta.url), "utf8");
    for (const key of configurationKeys) expect(page).toContain(`| \`${key}\` |`);
  });

  test.each(Object.entries(rows))("%s: the flag and the key set the same", (key, { flag, toml, sets }) => {
    const file = join(folder, "pyproject.toml");
    writeFileSync(file, `[tool.jetblack]\n${key} = ${toml}\n`);
    const defaults = resolveSettings(new Map(), [], undefined);
    const byFlag = resolveSettings(parseArguments(flag).given, [], undefined);
    const byKey = resolveSettings(new Map(), [], readConfiguration(file, undefined));
    expect(byFlag).toEqual({ ...defaults, ...sets });
    expect(byKey).toEqual({ ...byFlag, configuration: byKey.configuration });
    expect(byFlag).not.toEqual(defaults);
  });
});
