import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDataFolder } from "../conformance/data-folder.ts";
import { checkEquivalence } from "../src/equivalence/check-equivalence.ts";
import { formatSource } from "../src/format/format-source.ts";
import { defaultMode } from "../src/mode/mode.ts";
import { ParseError } from "../src/parse/errors.ts";
import { pythonProgram } from "./properties/python-program.ts";

/** `JETBLACK_FUZZ_RUNS` makes the search as long as one likes. */
const numRuns = Number(process.env.JETBLACK_FUZZ_RUNS ?? 60);

/** The generated programs have no `#` in their strings. */
const comments = (source: string): string[] =>
  [...source.matchAll(/#[^\n]*/g)].map((match) => match[0].replace(/[\s#]/g, "")).sort();

describe("generated programs", () => {
  test.each([88, 20, 1])("mean the same afterwards and format to themselves, at %i columns", (lineLength) => {
    const mode = { ...defaultMode, lineLength };
    fc.assert(
      fc.property(pythonProgram, (source) => {
        const output = formatSource(source, mode);
        checkEquivalence(source, output, []);
        expect(formatSource(output, mode)).toBe(output);
      }),
      { numRuns },
    );
  });

  test.each([88, 30])("come out the same with and without verbatim lines, at %i columns", (lineLength) => {
    const mode = { ...defaultMode, lineLength };
    // A word of a directive anywhere sends every line the long way.
    const marker = "# yapf:\n";
    fc.assert(
      fc.property(pythonProgram, (source) => {
        const output = formatSource(source, mode);
        const theLongWay = formatSource(marker + output, mode).slice(marker.length);
        expect(theLongWay.trimStart()).toBe(output.trimStart());
      }),
      { numRuns },
    );
  });

  test("keep all their comments", () => {
    fc.assert(
      fc.property(pythonProgram, (source) => {
        expect(comments(formatSource(source, defaultMode))).toEqual(comments(source));
      }),
      { numRuns },
    );
  });
});

/** Real sources where there are some, else this project's own. */
function realSources(): string[] {
  const own = readFileSync(new URL("../conformance/oracle/answer.py", import.meta.url), "utf8");
  const data = findDataFolder();
  const list = data === undefined ? "" : join(data, "corpus", "variant-files.txt");
  if (data === undefined || !existsSync(list)) return [own];
  const paths = readFileSync(list, "utf8")
    .split("\n")
    .filter((path) => path.endsWith(".py"));
  return [
    own,
    ...paths
      .slice(0, 20)
      .map((path) => readFileSync(join(data, "corpus", "files", path), "utf8").slice(0, 4000)),
  ];
}

describe("damaged sources", () => {
  test("are formatted to something of the same meaning, or refused with a place", () => {
    const sources = realSources();
    const edit = fc.record({
      source: fc.nat(sources.length - 1),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat(6),
      insert: fc.constantFrom(
        "",
        "(",
        ")",
        "[",
        "]",
        "{",
        "'",
        '"',
        '"""',
        "#",
        "\\",
        "\n",
        "    ",
        "\t",
        ":",
        ",",
        "=",
        "lambda",
        "*",
        "f'",
        "\f",
        "async ",
        "é",
        "🍰",
      ),
    });
    fc.assert(
      fc.property(edit, ({ source, at, remove, insert }) => {
        const text = sources[source]!;
        const position = Math.floor(at * text.length);
        const damaged = text.slice(0, position) + insert + text.slice(position + remove);
        try {
          const output = formatSource(damaged, defaultMode);
          if (output !== damaged) checkEquivalence(damaged, output, []);
        } catch (error) {
          if (error instanceof ParseError) expect(error.line).toBeGreaterThan(0);
          else expect(String(error)).toContain("cannot use --safe with this file");
        }
      }),
      { numRuns },
    );
  });
});
