import { unifiedDiff } from "../src/util/difflib/unified-diff.ts";
import type { Inspection } from "./inspect.ts";

export type View = "output" | "diff";

/** Shows the formatted source, or how it differs from what was typed; of a notebook cell by cell. */
export function showResult(
  target: HTMLElement,
  view: View,
  source: string,
  { output, cells }: Inspection,
): void {
  if (view === "output") {
    const code = cells?.map(({ index, after }) => `# Cell ${index + 1}\n${after}\n`).join("\n");
    target.textContent = code ?? output;
    return;
  }
  const diff =
    cells === undefined
      ? unifiedDiff(source, output, "source", "formatted")
      : cells
          .map(({ index, before, after }) =>
            unifiedDiff(`${before}\n`, `${after}\n`, `cell ${index + 1}`, `cell ${index + 1}, formatted`),
          )
          .join("");
  const shown = document.createDocumentFragment();
  // One by one: a call cannot be given as many arguments as a large source has lines.
  for (const line of diff === "" ? ["No difference.\n"] : diff.split(/(?<=\n)/)) shown.append(diffLine(line));
  target.replaceChildren(shown);
}

function diffLine(line: string): Node | string {
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;
  if (kind === undefined) return line;
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = line;
  return span;
}
