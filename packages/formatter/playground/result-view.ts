import { unifiedDiff } from "../src/util/difflib/unified-diff.ts";

export type View = "output" | "diff";

/** Shows the formatted source, or how it differs from what was typed. */
export function showResult(target: HTMLElement, view: View, source: string, output: string): void {
  if (view === "output") {
    target.textContent = output;
    return;
  }
  const lines = unifiedDiff(source, output, "source", "formatted").split(/(?<=\n)/);
  target.replaceChildren(...(source === output ? ["No difference.\n"] : lines.map(diffLine)));
}

function diffLine(line: string): Node | string {
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;
  if (kind === undefined) return line;
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = line;
  return span;
}
