import fc from "fast-check";
import { expect, test } from "vitest";
import { Comparison } from "../src/equivalence/comparison/comparison.ts";
import { HashSink } from "../src/equivalence/lowering/ast-sink.ts";
import { Lowering } from "../src/equivalence/lowering/lower.ts";
import { checkRules } from "../src/equivalence/python-syntax/check-source.ts";
import { SourceSyntaxError } from "../src/equivalence/python-syntax/source-syntax-error.ts";
import { formatSource } from "../src/format/format-source.ts";
import { defaultMode } from "../src/mode/mode.ts";
import { ParseError } from "../src/parse/errors.ts";
import { type Parsed, parse } from "../src/parse/parse.ts";
import { pythonProgram } from "./properties/python-program.ts";

/** `JETBLACK_FUZZ_RUNS` makes the search as long as one likes. */
const numRuns = Number(process.env.JETBLACK_FUZZ_RUNS ?? 60);

type Edit = (line: string) => string;

/** What a formatter with a fault might do to a line of its output. */
const edits: readonly Edit[] = [
  (line) => line.replace(/(\w+) (\S{1,3}) (\w+)/, "$3 $2 $1"),
  (line) => line.replace(/\(([^()]*)\)/, "$1"),
  (line) => line.replace(/\(([^()]*)\)/, "($1,)"),
  (line) => line.replace(",", ""),
  (line) => line.replace(/,$/, ""),
  (line) => line.replace(/([\])}])/, ",$1"),
  (line) => line.replace(/"([^"]*)"/, "'$1'"),
  (line) => line.replace(/"(.)/, '"x$1'),
  (line) => line.replace(/"([^"]*)"/, 'b"$1"'),
  (line) => line.replace(/[bf]"([^"]*)"/, "R'$1'"),
  (line) => line.replace(/\d/, "7"),
  (line) => line.replace(/ {4}/, ""),
  (line) => `    ${line}`,
  (line) => `${line} `,
  (line) => line.replace(" ", "  "),
  () => "pass",
  () => "",
  (line) => `${line}\n${line}`,
  (line) => line.replace(/not |await |async /, ""),
];

/** The verdict without a short cut: both files lowered as a whole. */
function isSameAsAWhole(left: Parsed, right: Parsed): boolean {
  const [a, b] = [left, right].map(({ tree, root }) => {
    const hash = new HashSink();
    new Lowering(tree, hash).lower(root);
    return hash;
  });
  return a!.equals(b!);
}

function verdictOf(left: Parsed, right: Parsed): "same" | "different" | "invalid" {
  try {
    return new Comparison(left.tree, right.tree).isSame(left.root, right.root) ? "same" : "different";
  } catch (error) {
    if (error instanceof SourceSyntaxError) return "invalid";
    throw error;
  }
}

/** Whether all of the file follows the rules of which the comparison applies those that it has to. */
function isValid({ tree, root }: Parsed): boolean {
  try {
    checkRules(tree, root, false);
    return true;
  } catch (error) {
    if (error instanceof SourceSyntaxError) return false;
    throw error;
  }
}

function tryParse(source: string): Parsed | undefined {
  try {
    return parse(source, []);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** The output with one of the lines edited that the edit changes. */
function damaged(output: string, edit: Edit, which: number): string {
  const lines = output.split("\n");
  const places = [...lines.keys()].filter((i) => edit(lines[i]!) !== lines[i]);
  const place = places[which % places.length];
  return place === undefined ? output : lines.with(place, edit(lines[place]!)).join("\n");
}

test("statement by statement or as a whole, a source and what became of it compare alike", () => {
  const verdicts = { same: 0, different: 0 };
  const damage = fc.tuple(fc.constantFrom(...edits), fc.nat());
  const damages = fc.array(damage, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(pythonProgram, damages, fc.constantFrom(88, 20), (source, list, lineLength) => {
      const output = formatSource(source, { ...defaultMode, lineLength });
      const left = parse(source, []);
      for (const text of [output, ...list.map(([edit, which]) => damaged(output, edit, which))]) {
        const right = tryParse(text);
        if (right === undefined) continue;
        const isSame = isSameAsAWhole(left, right);
        verdicts[isSame ? "same" : "different"]++;
        const verdict = verdictOf(left, right);
        if (verdict === "invalid" || isSame) expect(verdict === "invalid").toBe(!isValid(right));
        if (verdict !== "invalid") expect(verdict).toBe(isSame ? "same" : "different");
      }
    }),
    { numRuns },
  );
  expect(verdicts.same).toBeGreaterThan(numRuns);
  expect(verdicts.different).toBeGreaterThan(numRuns);
});
