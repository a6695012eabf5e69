import { Feature, type TargetVersion, targetVersions, versionFeatures } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { withinStack } from "../syntax/too-deep-error.ts";
import { Tree } from "../syntax/tree.ts";
import type { StatementReader } from "../tokenize/statement-reader.ts";
import { TokenBuffer } from "../tokenize/token-buffer.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { type TokenizeFailure, Tokenizer } from "../tokenize/tokenizer.ts";
import { codePointLength, splitlines } from "../util/python-text.ts";
import { ParseError } from "./errors.ts";
import { hasFutureAnnotations } from "./future-imports.ts";
import { Parser, SyntaxFailure } from "./parser.ts";
import { parseFile } from "./statements.ts";

/** A parsed source. */
export interface Parsed {
  readonly tree: Tree;
  /** The `file_input` node. */
  readonly root: number;
  /** `Feature` bits of the syntax that the source uses (Black: `get_features_used`). */
  readonly features: number;
  /** Brackets within brackets, where there are the most. */
  readonly deepest: number;
}

/** Used again for every source: none is parsed while another one is. */
const tokens = new TokenBuffer();

/**
 * Parses a source whose lines end in LF into the tree that Black's parser makes of it (`parsing.py` lib2to3_parse).
 * A missing last line end is added. Without target versions every version's syntax is accepted; of the grammars that
 * Black tries in turn, the last one accepts what the others do.
 *
 * @param reader finds statements that are not looked into: each becomes one leaf, as does the rest of a header
 * @throws {ParseError} with the place that Black names
 * @throws {TooDeepError} when the source is nested too deeply
 */
export function parse(source: string, versions: readonly TargetVersion[], reader?: StatementReader): Parsed {
  const text = source.endsWith("\n") ? source : `${source}\n`;
  const tokenizer = new Tokenizer(text, tokens, reader);
  withinStack(() => tokenizer.run());
  const tree = new Tree(text, tokens.count * 2 + 64);
  const parser = new Parser(tree, tokens, hasSoftKeywords(versions));
  try {
    const root = withinStack(() => parseFile(parser));
    const future = hasFutureAnnotations(tree, root) ? Feature.FUTURE_ANNOTATIONS : 0;
    return { tree, root, features: parser.features | future, deepest: tokenizer.deepest };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    throw describeFailure(text, error.token, tokenizer.failure, versions);
  }
}

function hasSoftKeywords(versions: readonly TargetVersion[]): boolean {
  if (versions.length === 0) return true;
  return versions.some((version) => (versionFeatures[version] & Feature.PATTERN_MATCHING) !== 0);
}

function describeFailure(
  source: string,
  token: number,
  failure: TokenizeFailure | undefined,
  versions: readonly TargetVersion[],
): ParseError {
  const isTokenError = failure !== undefined && tokens.kinds[token] === TokenKind.ERROR;
  const offset = isTokenError ? failure.offset : offsetOf(source, token, failure);
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length + (isEndOfOpenLine(source, token) ? 1 : 0);
  return new ParseError({
    line,
    column: codePointLength(before.slice(lineStart)),
    sourceLine: splitlines(source)[line - 1] ?? "<line number missing in source>",
    kind: isTokenError ? "TokenError" : "ParseError",
    reason: isTokenError ? failure.message : "bad input",
    context: `cannot parse${describeVersions(versions)}`,
  });
}

/** Where Black places the token: an INDENT at the start of its line, a DEDENT where the code of its line begins. */
function offsetOf(source: string, token: number, failure: TokenizeFailure | undefined): number {
  let at = token;
  while (tokens.kinds[at] === Kind.INDENT || tokens.kinds[at] === Kind.DEDENT) at++;
  const start =
    failure !== undefined && tokens.kinds[at] === TokenKind.ERROR ? failure.offset : tokens.starts[at]!;
  return tokens.kinds[token] === Kind.INDENT ? source.lastIndexOf("\n", start - 1) + 1 : start;
}

/** The end of a file whose last line is continued: pytokens counts a line more for the line end that is not there. */
function isEndOfOpenLine(source: string, token: number): boolean {
  let at = token;
  while (tokens.kinds[at] === Kind.DEDENT) at++;
  if (tokens.kinds[at] !== Kind.ENDMARKER) return false;
  while (at > 0 && tokens.kinds[at - 1] === Kind.DEDENT) at--;
  const gap = source.slice(at === 0 ? 0 : tokens.ends[at - 1]!).replace(/#[^\n]*/g, "#");
  return /\\[ \t\f]*\n[ \t\f]*$/.test(gap);
}

/** ` for target version Python 3.14`: the newest of them. */
function describeVersions(versions: readonly TargetVersion[]): string {
  if (versions.length === 0) return "";
  const newest = targetVersions[Math.max(...versions.map((version) => targetVersions.indexOf(version)))]!;
  return ` for target version Python ${newest[2]}.${newest.slice(3)}`;
}
