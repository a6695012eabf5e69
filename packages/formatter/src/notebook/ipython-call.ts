import { type CellToken, logicalLines } from "./cell-tokens.ts";
import { compoundKeywords } from "./find-magic.ts";

/**
 * Whether a statement of the code is `get_ipython().name(...)`, or assigns one: what IPython makes of magics, so that
 * Black would take it for one and, knowing no such magic, leave the cell alone (Black: MagicFinder).
 */
export function holdsIpythonCall(code: string): boolean {
  return code.includes("get_ipython") && logicalLines(code).some(isIpythonCall);
}

function isIpythonCall(line: readonly CellToken[]): boolean {
  const tokens = line.filter(({ kind }) => kind !== "comment");
  return tokens.some((token, i) => {
    if (token.text !== "get_ipython" || !isStart(tokens, i)) return false;
    const end = closing(tokens, i + 1);
    if (end === -1 || tokens[end + 1]?.text !== "." || tokens[end + 2]?.kind !== "name") return false;
    const last = closing(tokens, end + 3);
    return last !== -1 && (last === tokens.length - 1 || tokens[last + 1]!.text === ";");
  });
}

/** Whether a statement begins there, or the value that it assigns. */
function isStart(tokens: readonly CellToken[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  if (before === ":") return compoundKeywords.has(tokens[0]!.text);
  return before === undefined || before === ";" || before === "=";
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
