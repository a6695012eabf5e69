import type { TargetVersion } from "../mode/target-version.ts";
import { ParseError } from "../parse/errors.ts";
import { parse } from "../parse/parse.ts";
import { TooDeepError, withinStack } from "../syntax/too-deep-error.ts";
import type { Tree } from "../syntax/tree.ts";
import { unifiedDiff } from "../util/difflib/unified-diff.ts";
import { Comparison } from "./comparison/comparison.ts";
import { dumpToFile } from "./dump-file.ts";
import { Lowering } from "./lowering/lower.ts";
import { TextSink } from "./lowering/text-sink.ts";
import { typeComments } from "./lowering/type-comments.ts";
import { checkLayout } from "./python-syntax/check-layout.ts";
import { checkRules, checkSource } from "./python-syntax/check-source.ts";
import { SourceSyntaxError } from "./python-syntax/source-syntax-error.ts";
import { SafetyError, UnparsableSourceError } from "./safety-error.ts";

interface Parsed {
  readonly tree: Tree;
  readonly root: number;
}

/**
 * Checks that two sources mean the same to Python (Black: `assert_equivalent`).
 *
 * @throws {SafetyError} when the source is not valid Python, or the output means something else.
 * @throws {TooDeepError} when the source is nested too deeply
 */
export function checkEquivalence(
  source: string,
  output: string,
  targetVersions: readonly TargetVersion[],
): void {
  withinStack(() => compare(source, output, targetVersions));
}

function compare(source: string, output: string, targetVersions: readonly TargetVersion[]): void {
  const before = parseValid(source, targetVersions);
  const after = parseOutput(output, targetVersions);
  const isSame = isSameMeaning(before, after, output);
  if (!isSame) checkWhole(after, output);
  const [left, right] = isSame ? [] : [before, after].map(dump);
  before.tree.release();
  after.tree.release();
  if (left === right) return;
  const log = dumpToFile(unifiedDiff(left!, right!, "src", "dst"));
  throw new SafetyError(
    `INTERNAL ERROR: the output is not equivalent to the source. Please report this with the source. This diff might be helpful: ${log}`,
  );
}

/** @throws {UnparsableSourceError} when the interpreter would not take the source, whatever its version (Black: `ast.parse`) */
export function checkIsPython(source: string): void {
  parseValid(source, []).tree.release();
}

/** Whether the interpreter would take the source. */
export function isValidPython(source: string): boolean {
  try {
    checkIsPython(source);
    return true;
  } catch (error) {
    if (error instanceof UnparsableSourceError) return false;
    throw error;
  }
}

/** Only the statements of the output that differ from those of the source are checked; the others are valid as these are. */
function isSameMeaning(before: Parsed, after: Parsed, output: string): boolean {
  try {
    return (
      new Comparison(before.tree, after.tree).isSame(before.root, after.root) &&
      typeComments(before.tree) === typeComments(after.tree)
    );
  } catch (error) {
    throw error instanceof SourceSyntaxError ? invalidOutput(output, error) : error;
  }
}

/** @throws {SafetyError} when the output is not valid Python anywhere. */
function checkWhole({ tree, root }: Parsed, output: string): void {
  try {
    checkRules(tree, root, false);
  } catch (error) {
    throw error instanceof SourceSyntaxError ? invalidOutput(output, error) : error;
  }
}

/** The tree as text: equal texts are equal trees whatever their hashes said. */
function dump({ tree, root }: Parsed): string {
  const sink = new TextSink();
  new Lowering(tree, sink).lower(root);
  return `${sink.text}${typeComments(tree)}\n`;
}

function parseValid(source: string, targetVersions: readonly TargetVersion[]): Parsed {
  try {
    return withinStack(() => parseChecked(source, targetVersions));
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TooDeepError) throw error;
    throw new UnparsableSourceError(
      `cannot use --safe with this file; failed to parse source file AST: ${error.message}`,
    );
  }
}

function parseChecked(source: string, targetVersions: readonly TargetVersion[]): Parsed {
  if (source.includes("\0")) throw new Error("source code string cannot contain null bytes");
  const parsed = parse(withoutFirstIndent(source), targetVersions);
  const plainSource = checkSource(parsed.tree, parsed.root);
  if (plainSource === undefined) return parsed;
  parsed.tree.release();
  const plain = parsePlain(plainSource, targetVersions);
  checkSource(plain.tree, plain.root);
  return plain;
}

/** Parses a source that CPython reads in other blocks than the first reading did, which took it. */
function parsePlain(plainSource: string, targetVersions: readonly TargetVersion[]): Parsed {
  try {
    return parse(plainSource, targetVersions);
  } catch (error) {
    throw error instanceof ParseError ? new SourceSyntaxError("invalid syntax", error.line) : error;
  }
}

/**
 * The source without the white space before its first statement, which Black takes away before it parses; CPython
 * takes none but what ends in a form feed.
 */
function withoutFirstIndent(source: string): string {
  const [gap] = /^[ \t\f\n]*/.exec(source)!;
  const indent = gap.slice(gap.lastIndexOf("\n") + 1);
  const next = source[gap.length];
  if (indent === "" || next === undefined || next === "#" || next === "\\") return source;
  if (!indent.endsWith("\f"))
    throw new SourceSyntaxError("unexpected indent", gap.split("\n").length, "indentation");
  return source.slice(0, gap.length - indent.length) + source.slice(gap.length);
}

function parseOutput(output: string, targetVersions: readonly TargetVersion[]): Parsed {
  try {
    const parsed = parse(withoutFirstIndent(output), targetVersions);
    const plainSource = withinStack(() => checkLayout(parsed.tree));
    if (plainSource === undefined) return parsed;
    parsed.tree.release();
    return parsePlain(plainSource, targetVersions);
  } catch (error) {
    throw error instanceof TooDeepError ? error : invalidOutput(output, error);
  }
}

function invalidOutput(output: string, error: unknown): SafetyError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SafetyError(
    `INTERNAL ERROR: the output is not valid Python: ${reason}. Please report this with the source. The output might be helpful: ${dumpToFile(output)}`,
  );
}
