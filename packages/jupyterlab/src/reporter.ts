import type { Outcome } from "./format-text.ts";
import type { DocumentContext, Widget } from "./jupyterlab.ts";

/** What was formatted, in the words for people: `cell 3`; empty where there is one thing only. */
export interface NamedOutcome {
  readonly name: string;
  readonly outcome: Outcome;
}

/** One line on what came of a command, and whether something was left as it is. */
function summaryOf(outcomes: readonly NamedOutcome[]): { text: string; isFailure: boolean } {
  const failures = outcomes.flatMap(({ name, outcome }) =>
    outcome.kind === "failed" ? [[name, outcome.reason].filter(Boolean).join(", ")] : [],
  );
  const changed = outcomes.filter(({ outcome }) => outcome.kind === "changed").length;
  const [first] = failures;
  if (first !== undefined) {
    const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : "";
    return { text: `Jetblack: not formatted: ${first}${others}`, isFailure: true };
  }
  if (outcomes.length === 0) return { text: "Jetblack: there is no Python to format", isFailure: false };
  if (changed === 0) return { text: "Jetblack: formatted already", isFailure: false };
  return { text: `Jetblack: formatted${changed > 1 ? ` ${changed} cells` : ""}`, isFailure: false };
}

/** Says it in the status bar until the document changes; where there is none, failures come as a notification. */
export class Reporter {
  readonly #item: Widget | undefined;
  readonly #warn: (text: string) => void;
  #forget: () => void = () => undefined;

  constructor(item: Widget | undefined, warn: (text: string) => void) {
    this.#item = item;
    this.#warn = warn;
    item?.node.setAttribute("role", "status");
    this.clear();
  }

  /** @param isQuiet whether only failures are worth a word, as when saving */
  show(context: DocumentContext, outcomes: readonly NamedOutcome[], isQuiet = false): void {
    this.clear();
    const { text, isFailure } = summaryOf(outcomes);
    if (isQuiet && !isFailure) return;
    if (this.#item === undefined) {
      if (isFailure) this.#warn(text);
      return;
    }
    this.#item.node.textContent = text;
    this.#item.node.title = text;
    this.#item.setHidden(false);
    const clear = (): void => this.clear();
    context.model.contentChanged.connect(clear);
    this.#forget = () => context.model.contentChanged.disconnect(clear);
  }

  clear(): void {
    this.#forget();
    this.#forget = () => undefined;
    if (this.#item === undefined) return;
    this.#item.node.textContent = "";
    this.#item.setHidden(true);
  }
}
