import { unifiedDiff } from "../src/util/difflib/unified-diff.ts";

export type View = "output" | "diff";

/** Shows the formatted source, or how it differs from what was typed. */
export function showResult(target: HTMLElement, view: View, source: string, output: string): void {
  if (view === "output") {
    target.textContent = output;
    return;
  }
  const lines = unifiedDiff(source, output, "source", "formatted").split(/(?<=\n)/);
  const shown = document.createDocumentFragment();
  // One by one: a call cannot be given as many arguments as a large source has lines.
  for (const line of source === output ? ["No difference.\n"] : lines) shown.append(diffLine(line));
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
