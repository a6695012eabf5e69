import { splitlinesKeepingEnds, strip } from "../util/python-text.ts";

/**
 * What IPython takes off a cell before it looks for magics: empty first lines, common indentation, and prompts
 * that were pasted along (IPython: inputtransformer2.py, cleanup_transforms). Lines keep their ends.
 */
export function cleanUp(lines: readonly string[]): string[] {
  return stripIpythonPrompts(stripDoctestPrompts(dedent(withoutLeadingEmpty(lines))));
}

function withoutLeadingEmpty(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => strip(line) !== "");
  return first === -1 ? lines : lines.slice(first);
}

/** Python's `textwrap.dedent`: lines of white space only become empty and do not count. */
function dedent(given: readonly string[]): string[] {
  // To it a line ends with a line feed alone.
  const lines = given.join("").split(/(?<=\n)/);
  const dedented = dedentLines(lines);
  return lines.length === given.length ? dedented : splitlinesKeepingEnds(dedented.join(""));
}

function dedentLines(lines: readonly string[]): string[] {
  const normal = lines.map((line) => (/^[ \t]+\n$/.test(line) ? "\n" : line));
  let margin: string | undefined;
  for (const line of normal) {
    if (line === "\n") continue;
    const indent = /^[ \t]*/.exec(line)![0];
    if (margin === undefined) margin = indent;
    while (!indent.startsWith(margin)) margin = margin.slice(0, -1);
  }
  if (margin === undefined || margin === "") return normal;
  return normal.map((line) => (line === "\n" ? line : line.slice(margin.length)));
}

/** White space to Python's `re`. */
const SPACE = String.raw`(?:[^\S\ufeff]|[\x1c-\x1f\x85])`;

const PS1 = new RegExp(`^${SPACE}*>>>[ \\t]?`);
const PS2 = new RegExp(`^${SPACE}*\\.\\.\\.[ \\t]?`);

/** Strips `>>>` and `...` once a line starts with `>>>` outside triple-quoted strings, then dedents what was stripped. */
function stripDoctestPrompts(lines: readonly string[]): string[] {
  const protectedLines = insideTripleQuotes(lines);
  if (!lines.some((line, i) => !protectedLines[i] && PS1.test(line))) return [...lines];
  const out: string[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from;
    while (to < lines.length && protectedLines[to] === protectedLines[from]) to++;
    const segment = lines.slice(from, to);
    if (protectedLines[from]) out.push(...segment);
    else {
      const stripped = segment.map((line) =>
        PS1.test(line) ? line.replace(PS1, "") : line.replace(PS2, ""),
      );
      const changed = stripped.some((line, i) => line !== segment[i]);
      out.push(...(changed ? dedent(stripped) : stripped));
    }
    from = to;
  }
  return out;
}

/** For each line whether it lies within a triple-quoted string that was not itself pasted with prompts. */
function insideTripleQuotes(lines: readonly string[]): boolean[] {
  const inside: boolean[] = [];
  let open: string | undefined;
  let keepsPrompts = false;
  let seenPrompt = false;
  for (const line of lines) {
    inside.push(open !== undefined && keepsPrompts);
    for (const match of line.matchAll(/(?<!\\)("""|''')/g)) {
      if (open === undefined) {
        open = match[1];
        const before = line.slice(0, match.index);
        const stripped = before.replace(PS1, "").replace(PS2, "");
        const prompted = stripped !== before && seenPrompt;
        keepsPrompts = !prompted && /^[rubf]*$/i.test(strip(stripped));
        inside[inside.length - 1] = keepsPrompts;
      } else if (open === match[1]) {
        open = undefined;
        keepsPrompts = false;
      }
    }
    seenPrompt ||= PS1.test(line);
  }
  return inside;
}

const IPYTHON_PROMPT = new RegExp(`^(?:(?:(?:\\[nav\\]|\\[ins\\])? )?In \\[\\d+\\]: |${SPACE}*\\.{3,}: ?)`);

/** Strips `In [1]: ` and `   ...: ` when one of the first two lines has such a prompt. */
function stripIpythonPrompts(lines: readonly string[]): string[] {
  const prompted =
    IPYTHON_PROMPT.test(lines[0] ?? "") || (lines.length > 1 && IPYTHON_PROMPT.test(lines[1]!));
  return prompted ? lines.map((line) => line.replace(IPYTHON_PROMPT, "")) : [...lines];
}

/** A cell as lines with their ends, the last one ended too. */
export function cellLines(cell: string): string[] {
  return splitlinesKeepingEnds(cell.endsWith("\n") ? cell : `${cell}\n`);
}
