import { UsageError } from "jetblack/editor";
import type { Target } from "./format-text.ts";
import { inSlices } from "./in-slices.ts";
import type { DocumentContext, EditorPanel, NotebookPanel } from "./jupyterlab.ts";
import { projectSettingsOf } from "./options.ts";
import { failure, outcomeOf } from "./outcomes.ts";
import type { Projects } from "./projects.ts";
import type { NamedOutcome, Reporter } from "./reporter.ts";
import { activeCellTarget, type CellTarget, cellTargets, fileTarget } from "./targets.ts";

interface Settings {
  readonly composite: Readonly<Record<string, unknown>>;
}

type AnyTarget = Target | CellTarget;
type Panel = NotebookPanel | EditorPanel;

/**
 * Formats what people ask for, as the document's project says, otherwise with JupyterLab's settings, and has the reporter
 * say what came of it.
 */
export class Formatter {
  readonly #reporter: Reporter;
  readonly #projects: Projects;
  #settings: Settings = { composite: {} };
  #running: Promise<void> = Promise.resolve();

  constructor(reporter: Reporter, projects: Projects) {
    this.#reporter = reporter;
    this.#projects = projects;
  }

  /** JupyterLab keeps them up to date. */
  useSettings(settings: Settings): void {
    this.#settings = settings;
  }

  formatCell(panel: NotebookPanel): Promise<void> {
    const cell = activeCellTarget(panel)?.text;
    return this.#format(panel, () => cellTargets(panel).filter(({ text }) => text === cell));
  }

  formatCells(panel: NotebookPanel): Promise<void> {
    return this.#format(panel, () => cellTargets(panel));
  }

  formatFile(panel: EditorPanel): Promise<void> {
    return this.#format(panel, () => {
      const target = fileTarget(panel);
      return target === undefined ? [] : [target];
    });
  }

  /** Saving does not wait for what is formatted first, so that the project has to be known by then. */
  prepareSave({ context }: { readonly context: DocumentContext }): void {
    this.#projects.read(pathOf(context)).catch(() => undefined);
  }

  saveCells(panel: NotebookPanel): void {
    if (this.#formatsOnSave()) this.#save(panel.context, cellTargets(panel));
  }

  saveFile(panel: EditorPanel): void {
    const target = this.#formatsOnSave() ? fileTarget(panel) : undefined;
    if (target !== undefined) this.#save(panel.context, [target]);
  }

  #formatsOnSave(): boolean {
    return this.#settings.composite.formatOnSave === true;
  }

  #save(context: DocumentContext, targets: readonly AnyTarget[]): void {
    const path = pathOf(context);
    try {
      if (!this.#projects.isKnown(path))
        throw new UsageError("the project's settings are being read; save once more");
      // All at once: what is written is the text as it is when this returns.
      this.#reporter.show(context, targets.map(this.#formatterOf(path)), true);
    } catch (error) {
      this.#fail(context, error);
    }
    // One that was changed by another program is in force from the next time on.
    this.prepareSave({ context });
  }

  /** One command after the other, so that each tells what it did itself. */
  #format(panel: Panel, targetsOf: () => readonly AnyTarget[]): Promise<void> {
    this.#running = this.#running.then(() => this.#formatNow(panel, targetsOf));
    return this.#running;
  }

  async #formatNow(panel: Panel, targetsOf: () => readonly AnyTarget[]): Promise<void> {
    const { context } = panel;
    try {
      await this.#projects.read(pathOf(context));
      const format = this.#formatterOf(pathOf(context));
      const outcomes: NamedOutcome[] = [];
      // Somebody may type on in the meantime, or close the panel.
      const targetsNow = (): readonly AnyTarget[] => (panel.isDisposed ? [] : targetsOf());
      await inSlices(targetsNow, (target) => outcomes.push(format(target)));
      if (!panel.isDisposed) this.#reporter.show(context, outcomes);
    } catch (error) {
      this.#fail(context, error);
    }
  }

  /**
   * Formats as the document's project says, otherwise as JupyterLab's settings do.
   * @throws {UsageError} for a setting that cannot be
   */
  #formatterOf(document: string): (target: AnyTarget) => NamedOutcome {
    const project = this.#projects.known(document);
    const { composite } = this.#settings;
    const settings = project?.settings ?? projectSettingsOf(composite);
    const said = JSON.stringify(project?.text ?? composite);
    return (target) => {
      const path = project?.path ?? target.path;
      const key = `${path}\n${said}`;
      const name = "number" in target ? `cell ${target.number}` : "";
      return { name, outcome: outcomeOf({ ...target, path }, settings, key) };
    };
  }

  #fail(context: DocumentContext, error: unknown): void {
    this.#reporter.show(context, [{ name: "", outcome: failure(error) }]);
  }
}

/** The drive of files that are edited together has the paths of the server's own, which has all files. */
function pathOf({ path }: DocumentContext): string {
  return path.replace(/^RTC:/, "");
}
