import { type CellToken, logicalLines } from "./cell-tokens.ts";
import { compoundKeywords, isAnnotated } from "./find-magic.ts";

/**
 * Whether a statement of the code is `get_ipython().name(...)`, or assigns one: what IPython makes of magics, so that
 * Black would take it for one and, knowing no such magic, leave the cell alone (Black: MagicFinder).
 */
export function holdsIpythonCall(code: string): boolean {
  return code.includes("get_ipython") && [...logicalLines(code)].some(isIpythonCall);
}

function isIpythonCall(line: readonly CellToken[]): boolean {
  const tokens = line.filter(({ kind }) => kind !== "comment");
  return tokens.some((token, i) => {
    if (token.text !== "get_ipython" || !isStart(tokens, i)) return false;
    const end = closing(tokens, i + 1);
    if (end === -1) return false;
    const point = pastParentheses(tokens, end + 1);
    if (tokens[point]?.text !== "." || tokens[point + 1]?.kind !== "name") return false;
    const last = closing(tokens, point + 2);
    if (last === -1) return false;
    const behind = tokens[pastParentheses(tokens, last + 1)];
    return behind === undefined || behind.text === ";";
  });
}

/** Index of what follows the closing parentheses at the index. */
function pastParentheses(tokens: readonly CellToken[], index: number): number {
  let at = index;
  while (tokens[at]?.text === ")") at++;
  return at;
}

/** Whether a statement begins there, or the value that it assigns without an annotation; be it in parentheses. */
function isStart(tokens: readonly CellToken[], index: number): boolean {
  let at = index;
  while (tokens[at - 1]?.text === "(") at--;
  const before = tokens[at - 1]?.text;
  if (before === "=") {
    const statement = tokens.slice(0, at).findLastIndex(({ text }) => text === ";") + 1;
    return !isAnnotated(tokens.slice(statement, at - 1));
  }
  if (before === ":") return compoundKeywords.has(tokens[0]!.text);
  return before === undefined || before === ";";
}

/** Index of the bracket that closes the one at `opening`; -1 where none stands there. */
function closing(tokens: readonly CellToken[], opening: number): number {
  if (tokens[opening]?.text !== "(") return -1;
  let depth = 0;
  for (let i = opening; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind !== "op") continue;
    if ("([{".includes(text)) depth++;
    else if (")]}".includes(text) && --depth === 0) return i;
  }
  return -1;
}
