import { type ProjectSettings, UsageError } from "jetblack/editor";
import { formatTarget, type Outcome, type Target } from "./format-text.ts";
import type { DocumentContext, EditorPanel, NotebookPanel } from "./jupyterlab.ts";
import { projectSettingsOf } from "./options.ts";
import type { NamedOutcome, Reporter } from "./reporter.ts";
import { activeCellTarget, type CellTarget, cellTargets, fileTarget } from "./targets.ts";

interface Settings {
  readonly composite: Readonly<Record<string, unknown>>;
}

/** Formats what people ask for with the settings in force, and has the reporter say what came of it. */
export class Formatter {
  readonly #reporter: Reporter;
  #settings: Settings = { composite: {} };

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  /** JupyterLab keeps them up to date. */
  useSettings(settings: Settings): void {
    this.#settings = settings;
  }

  formatCell(panel: NotebookPanel): void {
    const target = activeCellTarget(panel);
    this.#format(panel.context, target === undefined ? [] : [target]);
  }

  formatCells(panel: NotebookPanel): void {
    this.#format(panel.context, cellTargets(panel));
  }

  formatFile(panel: EditorPanel): void {
    const target = fileTarget(panel);
    this.#format(panel.context, target === undefined ? [] : [target]);
  }

  saveCells(panel: NotebookPanel): void {
    if (this.#formatsOnSave()) this.#format(panel.context, cellTargets(panel), true);
  }

  saveFile(panel: EditorPanel): void {
    const target = this.#formatsOnSave() ? fileTarget(panel) : undefined;
    if (target !== undefined) this.#format(panel.context, [target], true);
  }

  #formatsOnSave(): boolean {
    return this.#settings.composite.formatOnSave === true;
  }

  #format(context: DocumentContext, targets: readonly (Target | CellTarget)[], isSave = false): void {
    const outcomes = targets.map((target): NamedOutcome => {
      const name = "number" in target ? `cell ${target.number}` : "";
      return { name, outcome: this.#outcomeOf(target) };
    });
    this.#reporter.show(context, outcomes, isSave);
  }

  /** Saving goes on whatever comes of it; a fault of ours is for the console. */
  #outcomeOf(target: Target): Outcome {
    try {
      return formatTarget(target, this.#project());
    } catch (error) {
      if (!(error instanceof UsageError))
        queueMicrotask(() => {
          throw error;
        });
      return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #project(): ProjectSettings {
    return projectSettingsOf(this.#settings.composite);
  }
}
