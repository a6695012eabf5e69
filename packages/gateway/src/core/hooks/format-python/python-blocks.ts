/** Info strings of fences whose block is Python. */
const pythonNames: ReadonlySet<string> = new Set(["python", "py", "python3", "pyi"]);

/** An open fence: its indentation, its characters and the language behind it. */
interface Fence {
  readonly indent: string;
  readonly marker: string;
  readonly isPython: boolean;
}

/**
 * The Markdown text with the code of its fenced Python blocks mapped (CommonMark, fenced code blocks; indented ones in
 * lists too). Blocks within other fences, and those that are never closed, stay as they are.
 *
 * @param map gets whole lines without the block's indentation, each with its line end
 */
export function mapPythonBlocks(text: string, map: (code: string) => string): string {
  if (!text.includes("```") && !text.includes("~~~")) return text;
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let fence: Fence | undefined;
  let block: string[] = [];
  for (const line of lines) {
    if (fence === undefined) {
      result.push(line);
      fence = openingFence(line);
    } else if (isClosing(line, fence)) {
      result.push(fence.isPython ? mapLines(block, fence.indent, map) : block.join(""), line);
      fence = undefined;
      block = [];
    } else block.push(line);
  }
  return result.join("") + block.join("");
}

function openingFence(line: string): Fence | undefined {
  const match = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/.exec(line);
  if (match === null) return undefined;
  const [, indent = "", marker = "", language = ""] = match;
  return { indent, marker, isPython: pythonNames.has(language.toLowerCase()) };
}

function isClosing(line: string, { marker }: Fence): boolean {
  const found = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?\n?$/.exec(line)?.[1];
  return found !== undefined && found[0] === marker[0] && found.length >= marker.length;
}

/** The mapped lines, indented as before; a block with a line that is indented less is left alone. */
function mapLines(lines: readonly string[], indent: string, map: (code: string) => string): string {
  const original = lines.join("");
  const isBlank = (line: string): boolean => line.trim() === "";
  if (!lines.every((line) => line.startsWith(indent) || isBlank(line))) return original;
  const code = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : "\n")).join("");
  const mapped = map(code);
  if (mapped === code) return original;
  return mapped.replace(/^(?=[^\r\n])/gm, indent);
}
